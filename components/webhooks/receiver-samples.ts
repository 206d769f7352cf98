import type { Delivery, Webhook } from '@/lib/webhooks/contract'

/** The request of the last delivery of `log` whose body is known, of a record where there is one; null where there is none. */
export function sampleRequest(webhook: Webhook, log: readonly Delivery[]): string | null {
  const known = log.filter(({ request }) => request !== null)
  const sample = known.find(({ entity }) => entity !== null) ?? known[0]
  if (!sample?.request) return null
  const at = sample.tries.at(-1)?.at ?? sample.createdAt
  const kind = webhook.format === 'engine' ? 'json' : 'cloudevents+json'
  const { host, pathname, search } = new URL(webhook.url ?? 'https://example.com/hook')
  return [
    `POST ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Type: application/${kind}; charset=utf-8`,
    `Content-Length: ${new TextEncoder().encode(sample.request).length}`,
    'User-Agent: Engine',
    `webhook-id: ${sample.id}`,
    `webhook-timestamp: ${Math.floor(Date.parse(at) / 1000)}`,
    'webhook-signature: v1,<base64 of the HMAC-SHA-256>',
    '',
    sample.request,
  ].join('\n')
}

/** How a signature is verified, by language. */
export const SNIPPETS = [
  {
    value: 'node',
    label: 'Node.js',
    code: `// npm install express standardwebhooks
import express from 'express'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)   // whsec_…
const app = express()
app.post('/', express.text({ type: '*/*', limit: '1mb' }), (request, response) => {
  let message
  try {
    message = webhook.verify(request.body, request.headers)
  } catch {
    return response.sendStatus(401)
  }
  queue(request.headers['webhook-id'], message)           // do the work afterwards
  response.sendStatus(204)
})
app.listen(3000)`,
  },
  {
    value: 'python',
    label: 'Python',
    code: `# pip install flask standardwebhooks
import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])  # whsec_…
app = Flask(__name__)

@app.post("/")
def receive():
    try:
        message = webhook.verify(request.get_data(as_text=True), request.headers)
    except WebhookVerificationError:
        return "", 401
    queue(request.headers["webhook-id"], message)  # do the work afterwards
    return "", 204`,
  },
  {
    value: 'other',
    label: 'Any other',
    code: `key       = base64_decode(secret without "whsec_")
signed    = webhook-id + "." + webhook-timestamp + "." + body    // the body as it came, not parsed
expected  = "v1," + base64(HMAC-SHA-256(key, signed))

accept if one of the values in webhook-signature, split at spaces, is equal to expected
       (compared in constant time: there are two while a secret is rotated)
   and if webhook-timestamp is within 5 minutes of now`,
  },
] as const

/** What a receiver may rely on, and what is expected of it. */
export const RULES = [
  { label: 'Answer', text: '2xx within 15 seconds, before the work is done' },
  {
    label: 'Repetition',
    text: 'Each change comes at least once; one that comes again has the same webhook-id',
  },
  {
    label: 'Order',
    text: 'That of the changes of one record. Changes of different records may overtake each other',
  },
  {
    label: 'Failure',
    text: 'Ten attempts over three days, never before Retry-After. Redirects are failures',
  },
  { label: '410 Gone', text: 'Ends it: nothing more is sent' },
  { label: 'Size', text: 'Up to 1 MiB; a larger body comes without before and after' },
] as const

/** All of it as Markdown, for somebody who can't open the console. */
export const guideText = (webhook: Webhook, sample: string | null): string =>
  [
    `# Receiving “${webhook.name}”`,
    ...(sample === null ? [] : ['## What is sent', fenced(sample)]),
    '## Verifying it',
    ...SNIPPETS.flatMap(({ label, code }) => [`### ${label}`, fenced(code)]),
    '## What to rely on',
    RULES.map(({ label, text }) => `- **${label}**: ${text}`).join('\n'),
  ].join('\n\n')

const fenced = (text: string) => `~~~\n${text}\n~~~`
