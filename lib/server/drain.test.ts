import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { beginStopping } from '@/lib/stopping'
import { endProcess } from '@/lib/testing/end-process'
import { createEngineServer, type Serve } from './create-server'

endProcess()

test('a server that stops responds to all its keep-alive clients, and ends their connections', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const serve: Serve = async ({ url }, response) => {
    if (url === '/slow') await held
    response.end('ok')
  }
  const server = createEngineServer(parseEnv({}), { serveApi: serve, servePage: serve })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const send = (agent: Agent, path = '/') =>
    new Promise<string | undefined>((resolve, reject) => {
      const asked = request({ port, path, agent }, (response) => {
        response.resume().once('end', () => resolve(response.headers.connection))
      })
      asked.once('error', reject).end()
    })
  const client = () => new Agent({ keepAlive: true, maxSockets: 1 })
  const [between, during, idle] = [client(), client(), client()]
  expect(await Promise.all([between, during, idle].map((agent) => send(agent)))).toEqual(
    Array(3).fill('keep-alive'),
  )
  const slow = send(during, '/slow')
  await expect.poll(() => during.requests && Object.keys(during.sockets).length).toBe(1)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  beginStopping()
  expect(await send(between)).toBe('close')
  letGo()
  expect(await slow).toBe('close')
  await closed // the idle connection too
  idle.destroy()
})
