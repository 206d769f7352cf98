/**
 * A `Server-Timing` header in words: `auth 0.3 ms · db 1.2 ms · total 3.0 ms`; empty without measured parts.
 */
export function timingText(header: string | null): string {
  const parts = (header ?? '').split(',').map((part) => {
    const [name = '', ...params] = part.trim().split(';')
    const duration = params.map((param) => /^\s*dur=([\d.]+)$/.exec(param)?.[1]).find(Boolean)
    return duration ? `${name} ${Number(duration).toFixed(1)} ms` : ''
  })
  return parts.filter(Boolean).join(' · ')
}
