/** `2026-01-02T10:00:00.000Z` → what the browser's control shows in the reader's time zone. */
export function toLocal(value: unknown): string {
  const date = new Date(String(value ?? ''))
  if (Number.isNaN(date.getTime())) return ''
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

/** The instant that the browser's control means in the reader's time zone; empty for half a value. */
export function toIso(local: string): string {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
