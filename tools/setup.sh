# shellcheck shell=bash disable=SC2034
#
# setup.sh - what ./demo, ./check and .ci/run share: Debian's packages and the
# build. To be sourced by bash with -eu, in the top folder.
#
# SPDX-License-Identifier: Apache-2.0

# To build the filter, and for the chain: cups has cupsfilter, cups-filters has
# pdftopdf and gstoraster.
chain_packages="gcc libc6-dev make autoconf automake pkgconf libcups2-dev
    libcupsimage2-dev libpng-dev liblcms2-dev cups cups-filters cups-ppdc
    ghostscript"

# To build and test everything: cups-ipp-utils has ippeveprinter, which wants a
# D-Bus; pocl-opencl-icd makes an OpenCL device of the CPU, which the loader
# ocl-icd-libopencl1 finds; zint makes bar codes, which zbar-tools and dmtx-utils
# read once a test has printed them; python3 halftones pages by the book; argyll
# makes profiles of printers; libgutenprint prints all inks of Epson's.
packages="$chain_packages g++ libpappl-dev libjpeg-dev libxml2-dev
    libcmocka-dev libfftw3-dev opencl-c-headers pocl-opencl-icd ocl-icd-libopencl1
    cups-client poppler-utils cups-ipp-utils dbus-daemon procps zbar-tools
    python3 argyll zint dmtx-utils libgutenprint-dev"

# Debian keeps cupsfilter where an ordinary user's PATH does not look.
PATH=$PATH:/usr/sbin

# install_packages PACKAGE... - with apt-get, and only when one is missing.
install_packages() {
    local package missing=() sudo=()

    for package; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" \
            2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "Not Debian; if the build fails, look for: ${missing[*]}" >&2
        echo "doc/user/install.md has other systems' names of them" >&2
        return 0
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "As root: apt-get install ${missing[*]}" >&2
            return 1
        fi
        sudo=(sudo)
    fi
    echo "Installing ${missing[*]}"
    "${sudo[@]}" apt-get -q update
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y install --no-install-recommends "${missing[@]}"
}

# configure_in DIR [CONFIGURE_ARGUMENT...] - a DIR that is configured keeps its
# configuration.
configure_in() {
    local dir=$1 top=$PWD
    shift

    [ -x configure ] || autoreconf -i
    mkdir -p "$dir"
    if [ ! -f "$dir/config.status" ]; then
        (cd "$dir" && "$top/configure" -q "$@")
    fi
}

# build DIR - builds everything in DIR.
build() {
    configure_in "$1"
    make -C "$1" -s -j"$(nproc)"
}

# Tests wait for half of their time: for printers, servers and limits of time.
test_jobs=$((3 * $(nproc)))

# The folder to build in: build/, or the sources when somebody has run
# ./configure in them, as no other folder can be configured from then on.
builddir=build
[ ! -f config.status ] || builddir=.
