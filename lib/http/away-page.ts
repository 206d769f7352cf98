import { standInPage } from './stand-in-page'

const RETRY_SECONDS = 5

/** Replaces all pages while the database is away, and reloads by itself when it is back. */
export function awayPage(nonce: string, headers: Record<string, string>): Response {
  return new Response(html(nonce), {
    status: 503,
    headers: {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Retry-After': String(RETRY_SECONDS),
    },
  })
}

const html = (nonce: string) =>
  standInPage({
    refresh: `<noscript><meta http-equiv="refresh" content="${RETRY_SECONDS}"></noscript>`,
    text: 'The database does not respond. This page reloads by itself as soon as it does.',
    script: `<script nonce="${nonce}">
setInterval(async () => {
  const response = await fetch('/api/health/ready').catch(() => null)
  if (response && response.ok) location.reload()
}, 2000)
</script>
`,
  })
