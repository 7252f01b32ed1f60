# An MCP server for the gateway's battery: bash, so that nothing keeps it from being rude.
# KIND says how: huge, flood, half, endless, dies.
tool='{"name":"now","inputSchema":{"type":"object"}}'
while IFS= read -r line; do
  [[ $line =~ \"id\":([0-9]+|\"[^\"]*\") ]] || continue
  id=${BASH_REMATCH[1]}
  case $line in
  *'"method":"initialize"'*)
    printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"rude","version":"1"}}}\n' "$id" ;;
  *'"method":"tools/list"'*)
    printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s]}}\n' "$id" "$tool" ;;
  *'"method":"tools/call"'*)
    case $KIND in
    huge)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"' "$id"
      head -c 300000000 /dev/zero | tr '\0' x
      printf '"}]}}\n' ;;
    flood)
      yes '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}' | head -c 100000000
      printf '\n{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"flooded"}]}}\n' "$id" ;;
    half)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"te' "$id" ;;
    endless)
      head -c 100000000 /dev/zero | tr '\0' y ;;
    dies)
      exit 3 ;;
    esac ;;
  *)
    printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
  esac
done
