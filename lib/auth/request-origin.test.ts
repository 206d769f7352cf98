import { describe, expect, test } from 'vitest'
import { callerAddress, isForeign, isSameOrigin, PEER_HEADER } from './request-origin'

const headers = (peer: string, forwarded?: string) =>
  new Headers({ [PEER_HEADER]: peer, ...(forwarded ? { 'x-forwarded-for': forwarded } : {}) })

describe('the address of a caller', () => {
  test.each([
    [0, '192.0.2.1', undefined, '192.0.2.1'],
    [0, '192.0.2.1', '10.0.0.1', '192.0.2.1'],
    [0, '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    [0, '2001:DB8::1', undefined, '2001:db8::1'],
    [0, '', '10.0.0.1', null],
    [1, '192.0.2.1', '198.51.100.7', '198.51.100.7'],
    [1, '192.0.2.1', '10.0.0.1, 198.51.100.7', '198.51.100.7'],
    [2, '192.0.2.1', '10.0.0.1, 198.51.100.7, 192.0.2.9', '198.51.100.7'],
    [1, '192.0.2.1', undefined, '192.0.2.1'],
    [1, '192.0.2.1', 'nonsense', '192.0.2.1'],
    [3, '192.0.2.1', '10.0.0.1', '192.0.2.1'],
  ])(
    'behind %i proxies, from %s with X-Forwarded-For %s, is %s',
    (proxies, peer, forwarded, address) => {
      expect(callerAddress(headers(peer, forwarded), proxies)).toBe(address)
    },
  )
})

describe('a request of a browser', () => {
  const settings = { APP_URL: 'https://engine.example.com', PORT: 3000 }
  const request = (all: Record<string, string>) =>
    new Request('http://127.0.0.1:3000/api', { method: 'POST', headers: all })

  test.each([
    [{}, false, false],
    [{ 'sec-fetch-site': 'same-origin' }, true, false],
    [{ 'sec-fetch-site': 'same-site' }, false, true],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://engine.example.com' }, false, true],
    [{ 'sec-fetch-site': 'none' }, false, false],
    [{ origin: 'https://engine.example.com' }, true, false],
    [{ origin: 'https://engine.example.com.evil.example' }, false, true],
    [{ origin: 'http://engine.example.com' }, false, true],
    [{ origin: 'null' }, false, true],
    [{ origin: 'http://localhost:4000', host: 'localhost:4000' }, true, false],
  ])('with %j is of the product: %s, of another site: %s', (all, isOwn, foreign) => {
    expect(isSameOrigin(request(all), settings)).toBe(isOwn)
    expect(isForeign(request(all), settings)).toBe(foreign)
  })
})
