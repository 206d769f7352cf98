import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type ApiError, api } from './client'
import { setSignInAgain } from './sign-in-again'

afterEach(() => setSignInAgain(null))

/** A server that refuses everybody until `signIn` is called; `seen` are the requests it got. */
async function serve() {
  const seen: string[] = []
  let signedIn = false
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      seen.push(`${request.method} ${body}`)
      const answer = signedIn ? { data: [{ body }], meta: {} } : { error: 'Sign in first' }
      response.writeHead(signedIn ? 200 : 401).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  afterEach(() => void server.close())
  const { port } = server.address() as AddressInfo
  const signIn = () => {
    signedIn = true
  }
  return { url: (path = '') => `http://127.0.0.1:${port}/api/things${path}`, seen, signIn }
}

test('requests refused together ask once and go on by themselves', async () => {
  const { url, seen, signIn } = await serve()
  let asked = 0
  setSignInAgain(async () => {
    asked += 1
    await expect.poll(() => seen.length).toBe(2)
    signIn()
    return true
  })
  const [read, saved] = await Promise.all([
    api(url()),
    api<{ body: string }>(url(), { method: 'POST', body: { a: 1 } }),
  ])
  expect(asked).toBe(1)
  expect(saved.data).toEqual([{ body: '{"a":1}' }])
  expect(read.data).toHaveLength(1)
  expect(seen).toHaveLength(4)
})

test('after a refusal to sign in only what the user does asks again', async () => {
  const { url } = await serve()
  let asked = 0
  setSignInAgain(async () => {
    asked += 1
    return false
  })
  const refused = (error: ApiError) => error.status
  const write = () => api(url(), { method: 'PATCH', body: {} }).catch(refused)
  expect([await write(), asked]).toEqual([401, 1])
  expect(await api(url()).catch(refused)).toBe(401)
  expect(await api(url('/search'), { method: 'POST', body: {} }).catch(refused)).toBe(401)
  expect(asked).toBe(1)
  expect([await write(), asked]).toEqual([401, 2])
})
