# Installs Runward {{ VERSION }} on Windows: fetches the archive for this machine and its sum, compares them, and puts one
# file in one folder. It changes no setting of yours.
#
#   ./install.ps1 [-Version VERSION] [-To DIR] [-DryRun]
param(
  [string]$Version = '{{ VERSION }}',
  [string]$To = (Join-Path $env:LOCALAPPDATA 'Programs\runward'),
  [switch]$DryRun
)

function Install-Runward {
  $ErrorActionPreference = 'Stop'
  $base = if ($env:RUNWARD_DOWNLOADS) { $env:RUNWARD_DOWNLOADS } else { '{{ HOME }}/releases/download' }
  if ($Version -notmatch '^[0-9A-Za-z.+-]+$') { throw "$Version is no version; write one such as {{ VERSION }}" }
  $processor = switch ($env:PROCESSOR_ARCHITECTURE) {
    'AMD64' { 'x86_64' }
    'ARM64' { 'aarch64' }
    default { throw "there is no binary for the processor $_; build it with: cargo install runward" }
  }
  $name = "runward-$Version-$processor-pc-windows-msvc"
  $place = Join-Path $To 'runward.exe'
  if ($DryRun) {
    "would fetch $base/v$Version/$name.zip"
    "would compare it with $base/v$Version/SHA256SUMS"
    "would write $place"
    return
  }
  $folder = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
  New-Item -ItemType Directory -Path $folder | Out-Null
  try {
    $zip = Join-Path $folder "$name.zip"
    Invoke-WebRequest -UseBasicParsing -Uri "$base/v$Version/$name.zip" -OutFile $zip
    $sums = Join-Path $folder 'SHA256SUMS'
    Invoke-WebRequest -UseBasicParsing -Uri "$base/v$Version/SHA256SUMS" -OutFile $sums
    $line = Get-Content $sums | Where-Object { $_.EndsWith("  $name.zip") }
    if (-not $line) { throw "SHA256SUMS has no line for $name.zip" }
    $found = (Get-FileHash -Algorithm SHA256 $zip).Hash.ToLower()
    if ($found -ne $line.Split(' ')[0]) { throw "$name.zip is not what was published. Nothing was installed" }
    Expand-Archive -Path $zip -DestinationPath $folder
    New-Item -ItemType Directory -Force -Path $To | Out-Null
    $beside = Join-Path $To '.runward.new.exe'
    Copy-Item (Join-Path $folder "$name\runward.exe") $beside
    Move-Item -Force $beside $place
  } finally {
    Remove-Item -Recurse -Force $folder
  }
  "$(& $place --version) is in $To"
  if (($env:PATH -split ';') -notcontains $To) { "$To is not in PATH. To add it for this shell: `$env:PATH += ';$To'" }
}

Install-Runward
