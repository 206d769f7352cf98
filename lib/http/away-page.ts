import { standInPage } from './stand-in-page'

const RETRY_SECONDS = 5

/** A page that stands in for all others while the database is away, and goes by itself when it is back. */
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
    text: 'Its database does not answer. This page tries again by itself and shows what you asked for as soon as it can.',
    script: `<script nonce="${nonce}">
setInterval(async () => {
  const answer = await fetch('/api/health/ready').catch(() => null)
  if (answer && answer.ok) location.reload()
}, 2000)
</script>
`,
  })
