#!/bin/bash
#
# build.sh [CONFIGURE_ARGUMENT...] - builds the targets of the project in the
# current folder as OSS-Fuzz asks: in $WORK, with $CC, $CFLAGS, $CXX, $CXXFLAGS
# and $LIB_FUZZING_ENGINE, into $OUT, with the libraries that they need.
#
# SPDX-License-Identifier: Apache-2.0
set -eu

source=$PWD
mkdir -p "$WORK" "$OUT"
[ -x configure ] || autoreconf -i
cd "$WORK"
[ -f config.status ] || "$source/configure" -q --with-cuda=no "$@"
# The engine is written in C++.
# shellcheck disable=SC2016
make -s -j"$(nproc)" fuzz LIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
    CCLD="$CXX $CXXFLAGS" LDFLAGS='-Wl,-rpath,\$$ORIGIN/lib'
"$source/test/fuzz/pack" "$OUT"
cd "$OUT"
for folder in corpus/*; do
    zip -q -j "fuzz-${folder##*/}_seed_corpus.zip" "$folder"/*
done
for target in csv curve driver drops table; do
    cp text.dict "fuzz-$target.dict"
done
for target in foomatic ppd; do
    cp ppd.dict "fuzz-$target.dict"
done
mv options.dict fuzz-options.dict
rm -r corpus long ppd.dict text.dict
