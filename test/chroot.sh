# shellcheck shell=bash disable=SC2016,SC2154
#
# chroot.sh - a Debian in the folder "work", with the sources in /root/source;
# to be sourced with that variable and "top", the sources here. As root.
#
# SPDX-License-Identifier: Apache-2.0

export work

# inside COMMAND - by a shell in the sources there, with mounts and processes of
# its own: nothing of them is left behind.
inside() {
    unshare --pid --fork --mount /bin/sh -eu -c '
        mount -t proc proc "$work/proc"
        mount -t sysfs -o ro sys "$work/sys"
        mount -t tmpfs shm "$work/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=666 pts "$work/dev/pts"
        exec env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 PATH="$PATH" \
            DEBIAN_FRONTEND=noninteractive \
            chroot "$work" /bin/bash -eu -c "cd /root/source; $1"' - "$1"
}

# copy_bare BARE - makes it of a bare Debian. Services that start while packages
# are installed would be the host's.
copy_bare() {
    cp -a "$1" "$work"
    cp -L /etc/resolv.conf "$work/etc"
    install -m 755 /dev/stdin "$work/usr/sbin/policy-rc.d" <<'SH'
#!/bin/sh
exit 101
SH
    mkdir -p "$work/root/source"
}

install_inside() { # install_inside PACKAGE...
    inside "apt-get -q update
        apt-get -q -y install --no-install-recommends $*"
}

# lay_source - what git has, changes included, over what is built there. A file
# that has changed is new, whenever it was written.
lay_source() {
    local file to=$work/root/source
    (cd "$top" && git ls-files -z --cached --others --exclude-standard) |
        while IFS= read -r -d '' file; do
            if [ -e "$top/$file" ] && ! cmp -s "$top/$file" "$to/$file"; then
                mkdir -p "$to/$(dirname "$file")"
                cp "$top/$file" "$to/$file"
            fi
        done
}
