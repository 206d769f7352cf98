import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { bodyOf, sign } from './message'

const message = {
  ...{ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', origin: 'https://engine.example.com', entity: 'Book' },
  ...{ format: 'engine' as const },
}

test('signatures are those of the published examples of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const at = new Date(1_614_265_330_000)
  const { headers } = sign(message, '{"test": 2432232314}', [secret], at)
  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('each of two secrets verifies a message, and no other does', () => {
  const secrets = ['one', 'two', 'three'].map(
    (text) => `whsec_${btoa(`secret ${text} of 24 bytes`)}`,
  )
  const { headers, body } = sign(message, '{"ä":1}', secrets.slice(0, 2), new Date())
  const verify = (at: number) => new Webhook(secrets[at] ?? '').verify(body, headers)
  expect([verify(0), verify(1)]).toEqual([{ ä: 1 }, { ä: 1 }])
  expect(() => verify(2)).toThrow('No matching signature')
})

test('a body of more than 1 MiB is sent without the states of the record', () => {
  const at = '2026-11-27T10:00:00.000Z'
  const after = { text: 'ä'.repeat(600_000) }
  const change = { action: 'created', key: '1', at, fields: ['text'], before: null, after }
  const { type, timestamp, data } = JSON.parse(bodyOf({ ...message, change }))
  expect([type, timestamp]).toEqual(['record.created', at])
  expect(data).toEqual({
    ...{ entity: 'Book', action: 'created', key: '1', fields: ['text'], before: null, after: null },
  })
})
