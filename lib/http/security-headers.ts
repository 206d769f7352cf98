/** The header in which `proxy.ts` passes the requested address to pages. */
export const PATH_HEADER = 'x-engine-path'

/** Content Security Policy of a page: only scripts with this request's nonce run. */
export function contentSecurityPolicy(nonce: string, { development = false } = {}): string {
  const directives: Record<string, string> = {
    'default-src': "'self'",
    // React's refresh evaluates code in development.
    'script-src': `'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Charts and menus are positioned by style attributes, which no nonce can allow.
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' blob: data: https:",
    'font-src': "'self' data:",
    'connect-src': "'self'",
    // The map's: a file of this app.
    'worker-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    // The preview of a mail is a page of this app, in a frame without scripts.
    'frame-src': "'self'",
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
