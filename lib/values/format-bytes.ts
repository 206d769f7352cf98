const UNITS = ['KiB', 'MiB', 'GiB', 'TiB']

/** `17 bytes`, `97.7 KiB`, `16 MiB`; in units of 1024, like the settings of limits. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const unit = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length)
  return `${Math.round((bytes / 1024 ** unit) * 10) / 10} ${UNITS[unit - 1]}`
}
