import { zip } from '@/lib/testing/zip'
import { book, bookMembers, type Members, PLAIN_ROWS, SHEET, sheet } from './book'
import type { Make, Random } from './hostile-book'

type Member = Members[number]

const withMember = (name: string, change: Partial<Member>) =>
  zip(bookMembers().map((member) => (member.name === name ? { ...member, ...change } : member)))

/** Values of a header of the sheet that are false. */
const lying = (central: Member['central'], local: Member['local'] = central) =>
  withMember(SHEET, { ...(central ? { central } : {}), ...(local ? { local } : {}) })

const refusing = (bytes: Uint8Array, refused = /can't be read|no workbook/) => ({ bytes, refused })

const changed = (bytes: Uint8Array, random: Random, count: number) => {
  const copy = new Uint8Array(bytes)
  for (let n = 0; n < count; n++) copy[random(copy.length)] = random(256)
  return copy
}

/** Archives whose directory, sizes or bytes are false. */
export const HOSTILE_ARCHIVES: Record<string, Make> = {
  'nothing but a directory': () => refusing(zip([])),
  'another archive': () => refusing(zip([{ name: 'a.txt', content: 'a' }])),
  'a smaller size than the content': (random) => refusing(lying({ bytes: 1 + random(400) })),
  'a larger size than the content': (random) => refusing(lying({ bytes: 900 + random(9_000) })),
  'an impossible size': () => refusing(lying({ bytes: 1024 ** 3 })),
  'another checksum': (random) => refusing(lying({ crc: random(2 ** 31) })),
  'a place that is none': (random) => refusing(lying({ offset: random(2 ** 31) }, {})),
  'fewer packed bytes': (random) => refusing(lying({ packedBytes: 1 + random(100) })),
  'more packed bytes': (random) => refusing(lying({ packedBytes: 1_000 + random(2 ** 30) })),
  'an unknown method': (random) =>
    refusing(lying({ method: [1, 9, 12, 14, 93, 95, 99][random(7)] as number })),
  'a password': () => refusing(lying({ flags: 0x801 })),
  'content that is not packed': () => ({
    bytes: withMember(SHEET, { method: 0 }),
    rows: PLAIN_ROWS,
  }),
  'a part twice': () =>
    refusing(zip([...bookMembers(), { name: SHEET.toUpperCase(), content: sheet() }]), /one name/),
  'too many parts': (random) => {
    const more = Array.from({ length: 5_000 + random(20_000) }, (_, at) => ({ name: `a${at}` }))
    return refusing(zip([...bookMembers(), ...more], { zip64: 'beside' }), /at most 5000/)
  },
  'parts that share their bytes': (random) => {
    const others = Array.from({ length: random(4_000) }, (_, at) => ({
      ...{ name: `xl/worksheets/other${at}.xml`, content: sheet(), only: 'central' as const },
      central: { offset: 0 },
    }))
    return { bytes: zip([...bookMembers(), ...others]), rows: PLAIN_ROWS }
  },
  zip64: () => ({ bytes: zip(bookMembers(), { zip64: 'marked' }), rows: PLAIN_ROWS }),
  'false numbers of parts': (random) => refusing(zip(bookMembers(), { count: random(100) + 8 })),
  'data behind the end': (random) =>
    refusing(zip(bookMembers(), { trailing: new Uint8Array(1 + random(200_000)) })),
  'an archive that is cut': (random) => {
    const bytes = book()
    return refusing(bytes.slice(0, random(bytes.length)))
  },
  'one byte that was exchanged': (random) => ({ bytes: changed(book(), random, 1) }),
  'bytes that were exchanged': (random) => ({ bytes: changed(book(), random, 2 + random(20)) }),
  'bytes of any kind': (random) =>
    refusing(changed(new Uint8Array(random(100_000)), random, 100_000), /./),
}
