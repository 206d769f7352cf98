import { createServer, type RequestListener } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { listen } from '@/lib/testing/listen'
import { testKey } from '@/lib/testing/request'
import { newFolder, newPlugin, run, runJson } from './testing/cli'
import { runningEngine } from './testing/engine'

const { deps, env } = runningEngine()

describe('the server', () => {
  test('refuses keys that it does not know, and those without the right', async () => {
    const folder = await newPlugin()
    const unknown = { ...env, ENGINE_API_KEY: 'eng_nope' }
    expect(await runJson(['plan'], folder, { env: unknown })).toMatchObject({
      code: 1,
      json: { status: 401, error: expect.any(String) },
    })
    const weak = { ...env, ENGINE_API_KEY: await testKey(deps, ['VIEWER']) }
    expect((await runJson(['plan'], folder, { env: weak })).json).toMatchObject({ status: 403 })
  })

  test('that is away is named, and the exit code is 3', async () => {
    const { port, close } = await listen(createServer())
    close()
    const away = { ...env, ENGINE_URL: `http://127.0.0.1:${port}` }
    const { code, err } = await run(['install'], await newPlugin(), { env: away })
    expect([code, err]).toEqual([3, expect.stringContaining(`${away.ENGINE_URL} does not respond`)])
  })

  test('that is no engine is named', async () => {
    const page: RequestListener = (_, response) => response.end('<html>')
    const { code, err } = await against(page, ['install'], await newPlugin())
    expect([code, err]).toEqual([1, expect.stringContaining('is not an engine')])
  })

  test('that redirects is refused, and the other address gets nothing', async () => {
    let asked = 0
    const other = await listen(createServer(() => asked++))
    const redirect: RequestListener = (request, response) => {
      request.resume()
      response.writeHead(307, { location: `http://127.0.0.1:${other.port}/` }).end()
    }
    const { code, err } = await against(redirect, ['install'], await newPlugin())
    other.close()
    expect([code, err, asked]).toEqual([1, expect.stringContaining('redirects to'), 0])
  })

  test.each(['[]', '{}', '{"data":5}', '{"data":[null]}', '{"data":[{"id":5}]}'])(
    'that answers %s is named',
    async (body) => {
      const answer: RequestListener = (request, response) => {
        request.resume()
        response.end(body)
      }
      for (const args of [['snapshot'], ['plan'], ['install']]) {
        const folder = args[0] === 'snapshot' ? await newFolder() : await newPlugin()
        const { code, err } = await against(answer, args, folder)
        expect([code, err]).toEqual([1, expect.stringContaining('is not an engine')])
      }
    },
  )

  test('whose answer has no end is left, and one that ends too early is named', async () => {
    const endless: RequestListener = (_, response) => {
      response.write('[')
      const chunk = Buffer.alloc(1024 ** 2, ' ')
      const more = () => response.write(chunk, (error) => error ?? more())
      more()
    }
    const { code, err } = await against(endless, ['snapshot'], await newFolder())
    expect([code, err]).toEqual([1, expect.stringContaining('is longer than')])
    const cut: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy())
    }
    const { code: early, err: said } = await against(cut, ['export', 'x'], await newFolder())
    expect([early, said]).toEqual([3, expect.stringContaining('does not respond')])
  }, 60_000)

  test('whose answer comes a byte now and then is left after half an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const slow: RequestListener = (_, response) => {
      response.write('[')
      const more = () => {
        vi.setSystemTime(Date.now() + 60_000)
        response.write(' ', (error) => error ?? setTimeout(more, 5))
      }
      more()
    }
    const { code, err } = await against(slow, ['snapshot'], await newFolder())
    vi.useRealTimers()
    expect([code, err]).toEqual([3, expect.stringContaining('does not end')])
  })

  test('that sends no archive for a plugin is named', async () => {
    const answer: RequestListener = ({ url = '' }, response) =>
      response.end(url.startsWith('/api/plugins?') ? '{"data":[{"id":"a"}]}' : '{"data":[]}')
    const { code, err } = await against(answer, ['snapshot'], await newFolder())
    expect([code, err]).toEqual([1, expect.stringContaining('no archive')])
    const exported = await against(answer, ['export', 'a', '--folder', '.'], await newFolder())
    expect([exported.code, exported.err]).toEqual([1, expect.stringContaining('no archive')])
  })
})

/** Runs the command with a server that responds in this way. */
async function against(serve: RequestListener, args: string[], folder: string) {
  const server = createServer(serve)
  const { port, close } = await listen(server)
  try {
    return await run(args, folder, { env: { ...env, ENGINE_URL: `http://127.0.0.1:${port}/` } })
  } finally {
    server.closeAllConnections()
    close()
  }
}
