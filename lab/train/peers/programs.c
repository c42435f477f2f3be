/*
 * programs.c - the dithers of other programs, through the programs
 * themselves where they are installed: ImageMagick, netpbm, Ghostscript.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/train/peers/peers.h"

static bool installed(const char *program)
{
    const char *path = getenv("PATH");

    for (size_t length; path != NULL && *path != '\0';
         path += length + (path[length] == ':')) {
        char name[4096];

        length = strcspn(path, ":");
        snprintf(name, sizeof name, "%.*s/%s", (int)length, path, program);
        if (access(name, X_OK) == 0)
            return true;
    }
    return false;
}

/* Runs `format`, a shell command with the places of the contone PGM and of
 * the dots' PBM, in a directory of its own. */
static bool run(const struct plane *tones, struct plane *dots,
                const char *format)
{
    char folder[] = "/tmp/halftone-peer-XXXXXX", in[64], out[64];
    char command[1024];

    if (mkdtemp(folder) == NULL)
        return false;
    snprintf(in, sizeof in, "%s/in.pgm", folder);
    snprintf(out, sizeof out, "%s/out.pbm", folder);
    snprintf(command, sizeof command, format, in, out, tones->width,
             tones->height);
    bool ok = plane_write_pgm(tones, in) && system(command) == 0 &&
              plane_read_pbm(dots, out);
    if (ok && (dots->width != tones->width || dots->height != tones->height)) {
        plane_free(dots);
        ok = false;
    }
    if (!ok)
        fprintf(stderr, "failed: %s\n", command);
    unlink(in);
    unlink(out);
    rmdir(folder);
    return ok;
}

static bool imagemagick_6(void)
{
    return installed("convert");
}

bool peer_has_imagemagick(void)
{
    return installed("magick") || imagemagick_6();
}

bool peer_imagemagick(const struct plane *tones, struct plane *dots)
{
    return run(
        tones, dots,
        installed("magick")
            ? "magick '%s' -dither FloydSteinberg -remap pattern:gray50 "
              "'pbm:%s'"
            : "convert '%s' -dither FloydSteinberg -remap pattern:gray50 "
              "'pbm:%s'");
}

bool peer_has_netpbm(void)
{
    return installed("pgmtopbm");
}

bool peer_netpbm(const struct plane *tones, struct plane *dots)
{
    return run(tones, dots, "pgmtopbm -hilbert '%s' >'%s'");
}

bool peer_has_ghostscript(void)
{
    return installed("gs");
}

/* Ghostscript's own halftone at a resolution, in dots an inch, of a page that
 * is the picture, a pixel a dot. */
#define GHOSTSCRIPT(dpi)                                                       \
    "in='%s' out='%s' w=%d h=%d; "                                             \
    "{ printf '%%%%!\\n/s %%d string def 72 " dpi " div dup scale "            \
    "%%d %%d scale %%d %%d 8 [%%d 0 0 -%%d 0 %%d] "                            \
    "{currentfile s readstring pop} image\\n' $w $w $h $w $h $w $h $h; "       \
    "tail -c $((w * h)) \"$in\"; printf '\\nshowpage\\n'; } >\"$in.ps\" && "   \
    "gs -q -dSAFER -dBATCH -dNOPAUSE -r" dpi " -g${w}x$h "                     \
    "-sDEVICE=pbmraw -o \"$out\" \"$in.ps\"; r=$?; "                           \
    "rm -f \"$in.ps\"; exit $r"

bool peer_ghostscript(const struct plane *tones, struct plane *dots)
{
    return run(tones, dots, GHOSTSCRIPT("72"));
}

bool peer_ghostscript_600(const struct plane *tones, struct plane *dots)
{
    return run(tones, dots, GHOSTSCRIPT("600"));
}
