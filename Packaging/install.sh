#!/bin/sh
# Installs subreport from this folder, or removes it.
#
#     ./install.sh [PREFIX]               program, completions, manual pages and documents below PREFIX (/usr/local)
#     ./install.sh --job [PREFIX]         the nightly job too, with its user and its timer of systemd (as root)
#     ./install.sh --uninstall [PREFIX]   removes program and timer; settings, report, ledger and downloads stay
#     ./install.sh --purge [PREFIX]       removes settings, report, cache, ledger and user too; downloads stay
#
# A nightly job that runs the program of another PREFIX stays, with its settings, report and user.
set -eu
start=$PWD
cd "$(dirname "$0")"
umask 022

job=false uninstall=false purge=false prefix=
for word in "$@"; do
  case $word in
    --job) job=true ;;
    --uninstall) uninstall=true ;;
    --purge) uninstall=true purge=true ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' install.sh; exit 0 ;;
    -*) echo "install.sh: unknown option $word; see ./install.sh --help" >&2; exit 64 ;;
    *)
      [ -z "$prefix" ] || { echo "install.sh: one PREFIX, not $prefix and $word" >&2; exit 64; }
      prefix=$word
      ;;
  esac
done
prefix=${prefix:-/usr/local}
case $prefix in /*) ;; *) prefix=$start/${prefix#./} ;; esac
[ "$prefix" = / ] || prefix=${prefix%/}
[ "$(printf %s "$prefix" | LC_ALL=C tr -d '[:cntrl:]')" = "$prefix" ] || {
  echo "install.sh: a PREFIX has no line feed or other control character" >&2
  exit 64
}
# The unit of systemd names the program, and has rules of its own for every other character.
case $prefix/ in
  *[!A-Za-z0-9/._+@~-]* | */../* | */./*)
    if $job; then
      printf 'install.sh: with --job, a PREFIX has letters, digits and ._+@~- only, not %s\n' "$prefix" >&2
      exit 64
    fi
    ;;
esac
# Tests have the folders of the system below another one.
root=${SUBREPORT_TEST_ROOT:-}
units=$root/etc/systemd/system
list=$prefix/share/doc/subreport/installed-files
made=$prefix/share/doc/subreport/made-folders
systemd() { [ -n "$root" ] || [ ! -d /run/systemd/system ] || systemctl --quiet "$@"; }

if $uninstall; then
  [ -f "$list" ] || $purge || { echo "install.sh: subreport was not installed below $prefix by this script" >&2; exit 1; }
  # The job, its data and its user belong to the copy that the job runs; without a job, root may remove what one left.
  ours=false others=false
  if grep -qF "ExecStart=$prefix/bin/subreport " "$units/subreport.service" 2>/dev/null; then
    ours=true
  else
    for folder in "$units" "$root/usr/lib/systemd/system" "$root/lib/systemd/system"; do
      if [ -e "$folder/subreport.service" ]; then others=true; fi
    done
  fi
  may=false
  if [ -n "$root" ] || [ "$(id -u)" -eq 0 ]; then may=true; fi
  $may || ! $ours || { echo "install.sh: the nightly job runs the program below $prefix; removing it needs root" >&2; exit 1; }
  if $ours; then
    systemd disable --now subreport.timer || true
    rm -f "$units/subreport.service" "$units/subreport-fetch.service" "$units/subreport.timer"
    systemd daemon-reload || true
  fi
  if $others; then
    echo "kept: the nightly job, which runs another copy of the program, with its settings, report and user"
  elif $purge && $may; then
    rm -rf "$root/var/cache/subreport" "$root/var/lib/subreport/report" "$root/var/lib/subreport/ledger.jsonl"
    rm -f "$root/etc/subreport/subreport.toml"
    rmdir "$root/etc/subreport" "$root/var/lib/subreport/reports" "$root/var/lib/subreport" 2>/dev/null || true
    if [ -z "$root" ]; then
      if [ -d /var/lib/subreport ]; then chown -R root:root /var/lib/subreport; fi
      if getent passwd subreport >/dev/null; then userdel subreport; fi
    fi
  elif $may && { [ -d "$root/etc/subreport" ] || [ -d "$root/var/lib/subreport" ]; }; then
    echo "kept: /etc/subreport, /var/lib/subreport and /var/cache/subreport; ./install.sh --purge removes all but downloads"
  fi
  # Files, then the folders that the installation made, the deepest first.
  folders=$(LC_ALL=C sort -r "$made" 2>/dev/null || true)
  if [ -f "$list" ]; then (cd "$prefix" && while read -r file; do rm -f "$file"; done) <"$list"; fi
  rm -f "$list" "$made"
  for folder in $folders; do rmdir "$prefix/$folder" 2>/dev/null || true; done
  echo "subreport is removed from $prefix"
  if $purge && ! $others && [ -d "$root/var/lib/subreport/reports" ]; then
    echo "kept: your downloads in /var/lib/subreport/reports"
  fi
  exit 0
fi

if ! problem=$(bin/subreport --version 2>&1); then
  echo "install.sh: the program does not run here: $problem" >&2
  echo "It needs x86_64 or arm64 as this archive is named, glibc, zlib (libz.so.1) and libstdc++." >&2
  exit 1
fi
if $job; then
  [ "$(id -u)" -eq 0 ] || { echo "install.sh: --job needs root" >&2; exit 1; }
  command -v useradd >/dev/null || { echo "install.sh: --job needs useradd" >&2; exit 1; }
  # Units in /etc would hide those of the package, and its removal would take away their data.
  for folder in "$root/usr/lib/systemd/system" "$root/lib/systemd/system"; do
    [ ! -e "$folder/subreport.service" ] || {
      echo "install.sh: the Debian package has the nightly job already; leave out --job, or remove the package first" >&2
      exit 1
    }
  done
fi

folder=$prefix/bin
while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
if [ ! -w "$folder" ]; then
  echo "install.sh: you may not write in $folder; use sudo, or ./install.sh \$HOME/.local" >&2
  exit 1
fi
# An update adds folders to those of the first time.
folders=$(find bin share -type d | LC_ALL=C sort)
new=$(for folder in $folders; do [ -d "$prefix/$folder" ] || echo "$folder"; done)
for folder in $folders; do mkdir -p "$prefix/$folder"; done
[ -z "$new" ] || echo "$new" >>"$made"
find bin share -type f | LC_ALL=C sort | while read -r file; do
  # A new file in place of the old one: a program that runs keeps its own.
  cp "$file" "$prefix/$file.new"
  mv -f "$prefix/$file.new" "$prefix/$file"
done
find bin share -type f | LC_ALL=C sort >"$list"
echo "subreport is in $prefix/bin; try: '$prefix/bin/subreport' churn '$prefix/share/doc/subreport/sample-reports'"

if $job; then
  getent passwd subreport >/dev/null || useradd --system --user-group --no-create-home \
    --home-dir /var/lib/subreport --shell /usr/sbin/nologin subreport
  install -d -o subreport -g subreport -m 0750 /var/lib/subreport /var/lib/subreport/reports
  install -d -o subreport -g subreport -m 0700 /var/cache/subreport
  # Root may have tried the settings before there was a job.
  for path in /var/cache/subreport /var/lib/subreport/report /var/lib/subreport/ledger.jsonl; do
    if [ -e "$path" ]; then chown -Rh subreport:subreport "$path"; fi
  done
  install -d /etc/subreport "$units"
  # Settings that you changed stay.
  is_new=true
  if [ -e /etc/subreport/subreport.toml ]; then is_new=false; else install -m 644 etc/subreport.toml /etc/subreport/subreport.toml; fi
  for unit in subreport.service subreport-fetch.service subreport.timer; do
    sed "s,/usr/bin/subreport,$prefix/bin/subreport," lib/systemd/system/$unit >"$units/$unit"
  done
  systemd daemon-reload || true
  if $is_new; then
    echo "The nightly job: put your downloads into /var/lib/subreport/reports, then systemctl enable --now subreport.timer"
    echo "It fetches by itself with a key at /etc/subreport/key.p8 and [fetch] in /etc/subreport/subreport.toml"
  else
    echo "The nightly job keeps the settings of /etc/subreport/subreport.toml"
  fi
fi
case :$PATH: in *":$prefix/bin:"*) ;; *) echo "$prefix/bin is not on your PATH" ;; esac
first=$(command -v subreport || true)
if [ -n "$first" ] && [ "$first" != "$prefix/bin/subreport" ]; then
  echo "note: the command subreport runs another copy, $first"
fi
