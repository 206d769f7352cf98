import { expect, test } from 'vitest'
import { archiveRefusal } from './send-archive'

const zip = new Blob([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])])

test('a ZIP within the limit is accepted, whatever it is called', async () => {
  expect(await archiveRefusal(zip, 6)).toBeNull()
})

test('what is too large or no ZIP is refused with what to do', async () => {
  expect(await archiveRefusal(zip, 5)).toMatch(/more than the server accepts/)
  for (const text of ['', 'PK', 'hello', '{"id":1}'])
    expect(await archiveRefusal(new Blob([text]), 100)).toMatch(/not a ZIP archive/)
})
