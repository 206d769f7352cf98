import { beforeEach, expect, test } from 'vitest'
import { readPngSuite } from '@/lib/testing/pngsuite'
import { imageApi } from '../testing/image-api'

const api = imageApi()
const { send, listed } = api

beforeEach(() => api.open('local'))

test('PngSuite is stored without its broken pictures', async () => {
  const outcomes = new Map<string, number>()
  for (const [name, bytes] of await readPngSuite()) {
    const { status, body } = await send(bytes, { namespace: 'suite', assetId: name })
    outcomes.set(name, status)
    if (status !== 201) continue
    const header = Buffer.from(bytes)
    expect(body.data[0], name).toMatchObject({
      ...{ format: 'png', mediaType: 'image/png' },
      ...{ width: header.readUInt32BE(16), height: header.readUInt32BE(20) },
    })
  }
  const refused = [...outcomes].filter(([, status]) => status !== 201)
  expect(refused.map(([name]) => name[0])).toEqual(Array(14).fill('x'))
  expect(refused.every(([, status]) => status === 400 || status === 415)).toBe(true)
  expect((await listed('?size=1')).body.pagination.total).toBe(161)
})
