import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { descriptor, zip } from '@/lib/testing/zip'
import { readArchive } from './zip/read-archive'

const LIMITS = parseEnv({})
const CONTENTS = [
  ['engineplugin.json', '{"id":"org.example.sample"}'],
  ['Städte/__manifest__.json', '{"target":"City"}'],
  ['Städte/data.json', JSON.stringify(['Köln', 'Łódź', 'Zürich', 'Köln', 'Łódź', 'Zürich'])],
] as const

const [plugin, manifest, data] = CONTENTS

const written = zip(
  [
    { name: plugin[0], content: plugin[1], method: 0, attributes: 0o100644 * 65536 },
    { name: 'Städte/', attributes: 0o040755 * 65536 + 0x10 },
    { name: manifest[0], content: manifest[1], host: 0, attributes: 0x20 },
    {
      name: data[0],
      content: data[1],
      flags: 0x808,
      local: { crc: 0, packedBytes: 0, bytes: 0 },
      after: descriptor(data[1], 16),
    },
  ],
  { comment: 'comment', zip64: 'beside' },
)

function byJszip(): Promise<Uint8Array> {
  const archive = new JSZip()
  for (const [path, content] of CONTENTS) archive.file(path, content, { createFolders: false })
  return archive.generateAsync({ type: 'uint8array', compression: 'DEFLATE', platform: 'UNIX' })
}

type Mutation = (bytes: Uint8Array, at: number) => Uint8Array
const flip =
  (mask: number): Mutation =>
  (bytes, at) =>
    bytes.map((byte, index) => (index === at ? byte ^ mask : byte))
const remove: Mutation = (bytes, at) => bytes.filter((_, index) => index !== at)
const insert: Mutation = (bytes, at) =>
  Uint8Array.from([...bytes.subarray(0, at), 0x50, ...bytes.subarray(at)])
const cut: Mutation = (bytes, at) => bytes.slice(0, at)

const MUTATIONS: [string, Mutation][] = [
  ...[0x01, 0x04, 0x10, 0x20, 0x80, 0xff].map((mask): [string, Mutation] => [
    `with bits ${mask.toString(2)} flipped in it`,
    flip(mask),
  ]),
  ['less', remove],
  ['more', insert],
  ['at the cut', cut],
]

describe.each([
  ['an archive written by hand', async () => written],
  ['an archive by jszip', byJszip],
])('%s', (_, make) => {
  test('reads as it is', async () => {
    expect(await outcome(await make())).toEqual(CONTENTS)
  })

  test.each(MUTATIONS)('with a byte %s is refused or reads exactly the same', async (_, mutate) => {
    const archive = await make()
    let refused = 0
    for (let at = 0; at < archive.length; at++) {
      const result = await outcome(mutate(archive, at))
      if (result === 'refused') refused++
      else expect(result, `mutated at byte ${at}`).toEqual(CONTENTS)
    }
    expect(refused).toBeGreaterThan(archive.length / 2)
  })
})

async function outcome(archive: Uint8Array) {
  try {
    const files = await readArchive(archive, LIMITS)
    return files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])
  } catch (error) {
    expect((error as Error).name).toBe('AppError')
    return 'refused'
  }
}
