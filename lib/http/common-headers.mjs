/** Of every response, files and pages too; scripts and styles have the first alone. Pages get a Content Security Policy besides, in proxy.ts. */
export const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}
