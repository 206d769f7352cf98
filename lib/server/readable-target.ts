/**
 * The path and query of a request's target, which can be decoded. A path that can't is escaped, so
 * that it is not found: Next would respond with a 500 outside the envelope. Of an absolute address
 * (RFC 9112 §3.2.2) only its path and query count; `*` has none.
 */
export function readableTarget(target: string): string {
  const local = target.startsWith('/') ? target : pathOf(target)
  if (!local.includes('%')) return local
  const [path = '', ...query] = local.split('?')
  if (isDecodable(path)) return local
  return [path.replaceAll('%', '%25'), ...query].join('?')
}

const pathOf = (target: string): string => /^https?:\/\/[^/?]*(\/.*)$/i.exec(target)?.[1] ?? '/api'

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
