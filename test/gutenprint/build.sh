#!/bin/sh
#
# build.sh SOURCE FOLDER - builds the decoders of Gutenprint's source, in SOURCE,
# with what we ask of them, as FOLDER/escp2_dots, canon_dots and pcl_dots.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
source=$1/test
folder=$2

# Passes say how far their nozzles are apart; units can be larger than a dot, or of
# 1/1440 for steps across only; third nozzles of black, and green ink; and low
# ones print lower than the page.
sed 's|case 64:|case 96: return 13; case 11: return 14; &|
    s|skip \*= pstate.extraskip;|if (skip == 0) skip = 1; &|
    s|/\* What should we do with the vertical density here??? \*/|pstate.nozzle_separation = rows_apart(ch);|
    s|if (pstate.page_management_units < 720)|set_units(); &|
    s|pstate.xposition+=i;|pstate.xposition += step_of(i);|
    s|pstate.yposition = 0;|pstate.bottom_margin += 4096; &|' \
    "$source/unprint.c" >"$folder/unprint.c"
# The last pixels of a row are in the buffer of bits; packed inks differ.
sed 's/img->color->\(bpp\|level\)/color->\1/; s/img->num_colors = cnt;/& place_inks(img);/; s/return s.buf_ptr-s.buf;/put_bits(\&s, 31, 0); &/; s/write_ppm(img,out)/write_dots(img, out)/; s/if(out)/if (out != NULL)/' \
    "$source/pixma_parse.c" >"$folder/pixma_parse.c"
cp "$source/pixma_parse.h" "$folder/"
# Bare rows of several bits go beyond their buffer.
sed '/^void write_\(grey\|colour\)(output_t/,/^}/d; /memset(received_rows/s/ \* output_data.output_depth//' \
    "$source/pcl-unprint.c" >"$folder/pcl-unprint.c"
for name in escp2 canon pcl; do
    ${CC-cc} -std=gnu11 -O2 -w -DHAVE_LIMITS_H -I"$folder" -I"$here" \
        -o "$folder/${name}_dots" "$here/${name}_dots.c" -lgutenprint
done
