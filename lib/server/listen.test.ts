import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from './run-server'

test('an address that is none of this machine is refused by the name HOST', async () => {
  const listening = listen(createServer(), { PORT: 0, HOST: '192.0.2.1' })
  await expect(listening).rejects.toThrow(/^HOST: 192\.0\.2\.1 can't be listened on: it is no/)
})

test('a port in use is refused by the name PORT', async () => {
  const first = createServer()
  await listen(first, { PORT: 0, HOST: '127.0.0.1' })
  const { port } = first.address() as AddressInfo
  const second = listen(createServer(), { PORT: port, HOST: '127.0.0.1' })
  await expect(second).rejects.toThrow(`PORT: ${port} can't be listened on: another process does`)
  first.close()
})
