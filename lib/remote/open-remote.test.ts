import { createServer, type RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { listen } from '@/lib/testing/listen'
import { openRemote, requestFile } from './open-remote'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server on this machine, and the paths it was asked for. */
async function serve(respond: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    respond(request, response)
  })
  const { port, close } = await listen(server)
  closing.push(close)
  return { port, asked }
}

const redirectTo =
  (location: (path: string) => string): RequestListener =>
  ({ url }, response) => {
    response.writeHead(302, { Location: location(url ?? '') }).end()
  }

/** Takes files of this machine's first address alone. */
const here = (timeoutMs?: number) =>
  openRemote({ isAllowed: (address) => address === '127.0.0.1', timeoutMs })

describe('an address', () => {
  test.each([
    ['not one', 'picture.png'],
    ['another protocol', 'ftp://example.com/a.png'],
    ['a file', 'file:///etc/passwd'],
    ['inline', 'data:image/png;base64,AAAA'],
    ['with a password', 'http://user:secret@example.com/a.png'],
    ['with a user name', 'http://user@example.com/a.png'],
    ['of a mail server', 'http://example.com:25/a.png'],
    ['too long', `https://example.com/${'a'.repeat(2000)}`],
  ])('that is %s is refused before anything is resolved', async (_, address) => {
    const asked: string[] = []
    const remote = openRemote({ isAllowed: (one) => asked.push(one) > 0 })
    await expect(remote.open(address)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(asked).toEqual([])
  })

  test.each([
    ['itself', '127.0.0.1'],
    ['its name', 'localhost'],
    ['one number', '2130706433'],
    ['hexadecimal', '0x7f.1'],
    ['octal', '0177.0.0.1'],
    ['IPv6', '[::1]'],
    ['mapped', '[::ffff:127.0.0.1]'],
    ['any', '0.0.0.0'],
    ['a full stop at its end', 'localhost.'],
  ])('of this machine, written as %s, is never connected to', async (_, host) => {
    const { port, asked } = await serve((_, response) => response.end('secret'))
    const refusal = openRemote().open(`http://${host}:${port}/`)
    const code = host === 'localhost.' ? /invalid_input|upstream_failed/ : /invalid_input/
    await expect(refusal).rejects.toMatchObject({ code: expect.stringMatching(code) })
    expect(asked).toEqual([])
  })

  test('is connected to where its name was resolved to, without another question', async () => {
    const { port, asked } = await serve((_, response) => response.end('here'))
    const url = new URL(`http://changed-meanwhile.invalid:${port}/a`)
    const addresses = [{ address: '127.0.0.1', family: 4 }]
    const response = await requestFile(url, addresses, AbortSignal.timeout(5_000))
    expect(String(await buffer(response))).toBe('here')
    expect(asked).toEqual(['/a'])
  })
})

describe('a redirect', () => {
  test('is followed three times', async () => {
    const { port, asked } = await serve((request, response) => {
      if (request.url === '/3') response.end('found')
      else redirectTo((path) => `/${Number(path.slice(1)) + 1}`)(request, response)
    })
    const file = await here().open(`http://127.0.0.1:${port}/0`)
    expect(String(await buffer(file.body))).toBe('found')
    expect(asked).toEqual(['/0', '/1', '/2', '/3'])
    file.close()
  })

  test('is not followed a fourth time', async () => {
    const { port, asked } = await serve(redirectTo((path) => `${path}0`))
    const refusal = here().open(`http://127.0.0.1:${port}/0`)
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_input' })
    expect(asked).toHaveLength(4)
  })

  test.each([
    ['another address', (port: number) => `http://127.0.0.2:${port}/secret`],
    ['a file', () => 'file:///etc/passwd'],
    ['an address with a password', (port: number) => `http://a:b@127.0.0.1:${port}/secret`],
    ['nothing', () => 'http://'],
  ])('to %s is checked as the first address was', async (_, to) => {
    const { port, asked } = await serve((request, response) =>
      request.url === '/' ? redirectTo(() => to(port))(request, response) : response.end('secret'),
    )
    const refusal = here().open(`http://127.0.0.1:${port}/`)
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_input' })
    expect(asked).toEqual(['/'])
  })
})

describe('a server', () => {
  test('gets nothing of the caller', async () => {
    let headers = {}
    const { port } = await serve((request, response) => {
      headers = request.headers
      response.end()
    })
    const file = await here().open(`http://127.0.0.1:${port}/`)
    file.close()
    expect(Object.keys(headers).sort()).toEqual([
      ...['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
    ])
  })

  test('that does not respond, or stops in the middle, is waited for as long as the limit', async () => {
    const silent = await serve(() => {})
    const refusal = here(200).open(`http://127.0.0.1:${silent.port}/`)
    await expect(refusal).rejects.toMatchObject({ code: 'upstream_timeout' })
    const slow = await serve((_, response) => response.writeHead(200).write('half'))
    const file = await here(500).open(`http://127.0.0.1:${slow.port}/`)
    await expect(buffer(file.body)).rejects.toMatchObject({ code: 'upstream_timeout' })
  })

  test('that refuses is named by its status alone', async () => {
    const { port } = await serve((_, response) => {
      response.writeHead(403, { 'X-Secret': 'inside' }).end('inside')
    })
    const thrown = await here()
      .open(`http://127.0.0.1:${port}/`)
      .catch((error: Error) => error)
    expect(thrown).toMatchObject({ code: 'upstream_failed' })
    expect(JSON.stringify([thrown, String(thrown)])).toContain('403')
    expect(JSON.stringify([thrown, String(thrown)])).not.toContain('inside')
  })

  test('that is not there, or unknown, is an upstream failure', async () => {
    const { port } = await serve(() => {})
    closing.pop()?.()
    const opening = here().open(`http://127.0.0.1:${port}/`)
    await expect(opening).rejects.toMatchObject({ code: 'upstream_failed' })
    const unknown = openRemote().open('http://no-such-host.invalid/')
    await expect(unknown).rejects.toMatchObject({ code: 'upstream_failed' })
  })

  test('takes a place of eight until its file is closed', async () => {
    const { port } = await serve((_, response) => response.end('x'))
    const remote = here()
    const open = () => remote.open(`http://127.0.0.1:${port}/`)
    const files = await Promise.all(Array.from({ length: 8 }, open))
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' })
    files[0]?.close()
    files.push(await open())
    for (const file of files) file.close()
  })
})
