import fc from 'fast-check'
import { readArchive } from '@/lib/archives/zip/read-archive'
import { parseEnv } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { descriptor, zip } from '../zip'
import { mutatedBytes } from './mutations'
import { refusalOf } from './refusal'
import type { Target } from './saved-seeds'

const LIMITS = parseEnv({})
const CONTENTS: Record<string, string> = {
  'engineplugin.json': '{"id":"org.example.sample"}',
  'Städte/__manifest__.json': '{"target":"City"}',
  'Städte/data.json': JSON.stringify(['Köln', 'Łódź', 'Zürich', 'Köln', 'Łódź', 'Zürich']),
}
const archive = fc
  .record({
    method: fc.constantFrom(0 as const, 8 as const),
    descriptor: fc.constantFrom(null, 12 as const, 16 as const),
    zip64: fc.constantFrom(undefined, 'beside' as const),
    comment: fc.constantFrom('', 'comment'),
  })
  .map(({ method, descriptor: length, ...options }) =>
    zip(
      Object.entries(CONTENTS).map(([name, content]) => ({
        ...{ name, content, method },
        ...(length && {
          flags: 0x808,
          local: { crc: 0, packedBytes: 0, bytes: 0 },
          after: descriptor(content, length, method),
        }),
      })),
      options,
    ),
  )

/** What is read of an archive with changed bytes was in it before. */
export const ARCHIVES: Target<Uint8Array> = {
  name: 'archive',
  input: mutatedBytes(archive),
  faultOf: async (bytes) => {
    const files = await readArchive(bytes, LIMITS).catch(refusalOf)
    if (files instanceof AppError) return undefined
    const altered = files.filter(
      (file) => CONTENTS[file.path] !== Buffer.from(file.bytes).toString('utf8'),
    )
    return altered.length > 0 ? `altered ${altered.map(({ path }) => path)}` : undefined
  },
}
