# shellcheck shell=bash
# Runs a program as systemd runs the service of the page: as its own user, in its folder, with the settings of a file. Sourced.

SERVICE_USER=61184 # one of those that DynamicUser= takes

# as_service FOLDERS WORKING SETTINGS COMMAND...: FOLDERS are StateDirectory=, below /var/lib.
as_service() {
  local folders=$1 working=$2 settings=$3 folder line
  shift 3
  for folder in $folders; do
    mkdir -p "/var/lib/$folder"
    # As systemd: what is inside is looked at only when the folder belongs to another user.
    [ "$(stat -c %u "/var/lib/$folder")" = "$SERVICE_USER" ] || chown -R "$SERVICE_USER:$SERVICE_USER" "/var/lib/$folder"
    chmod 700 "/var/lib/$folder"
  done
  cd "$working" || exit
  local variables=("PATH=$PATH")
  while IFS= read -r line; do
    case "$line" in
      '' | '#'*) ;;
      *) variables+=("$line") ;;
    esac
  done <"$settings"
  umask 077
  exec env -i "${variables[@]}" setpriv --reuid="$SERVICE_USER" --regid="$SERVICE_USER" --clear-groups "$@"
}
