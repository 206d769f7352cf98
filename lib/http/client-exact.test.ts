import { dehydrate, hydrate } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { makeQueryClient } from '@/lib/query/client'
import { exactJsonText } from '@/lib/values/exact-json'
import { api } from './client'

afterEach(() => vi.unstubAllGlobals())

const TEXT = '{"data":[{"n":9007199254740993,"d":[0.1000000000000000055511]}],"meta":{}}'

test('responses and requests keep every digit', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    sent.push(body)
    return new Response(TEXT)
  })
  const { data } = await api('/x')
  await api('/x', { method: 'POST', body: data[0] })
  expect(sent[1]).toBe('{"n":9007199254740993,"d":[0.1000000000000000055511]}')
})

test('responses that are sent with the page keep every digit', async () => {
  vi.stubGlobal('fetch', async () => new Response(TEXT))
  const server = makeQueryClient()
  server.setQueryData(['a'], await api('/x'))
  const browser = makeQueryClient()
  hydrate(browser, JSON.parse(JSON.stringify(dehydrate(server))))
  expect(exactJsonText(browser.getQueryData(['a']))).toBe(TEXT)
})
