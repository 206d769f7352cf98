import { NextRequest } from 'next/server'
import { expect, test } from 'vitest'
import { offerPing } from '@/lib/health/ping'
import { proxy } from '@/proxy'

const visit = () => proxy(new NextRequest('http://test.local/login'))

test('pages are a 503 that tries again by itself while the database is away', async () => {
  offerPing(async () => false)
  const away = await visit()
  expect(away.status).toBe(503)
  expect(away.headers.get('retry-after')).toBe('5')
  expect(away.headers.get('cache-control')).toBe('no-store')
  const policy = away.headers.get('content-security-policy')
  const nonce = /<script nonce="([^"]+)">/.exec(await away.text())?.[1]
  expect(policy).toContain(`'nonce-${nonce}'`)
  offerPing(async () => true)
  expect((await visit()).status).toBe(200)
})
