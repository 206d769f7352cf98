import { deflateRawSync } from 'node:zlib'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import type { AppError } from '@/lib/errors'
import { descriptor, extraField, join, u32, u64, zip } from '@/lib/testing/zip'
import { crc32 } from '@/lib/values/crc32'
import { readArchive } from './read-archive'

const LIMITS = parseEnv({})
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

async function contents(archive: Uint8Array, limits = LIMITS) {
  const files = await readArchive(archive, limits)
  return files.map(({ path, bytes }) => [path, text(bytes)])
}

async function refusal(archive: Uint8Array, limits = LIMITS): Promise<AppError> {
  const error = await readArchive(archive, limits).then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error?.name).toBe('AppError')
  return error
}

const GOOD = [
  { name: 'b.json', content: '{"b":1}' },
  { name: 'a.json', content: '{"a":"ü"}' },
]
const GOOD_CONTENTS = [
  ['b.json', '{"b":1}'],
  ['a.json', '{"a":"ü"}'],
]
const one = { name: 'a.json', content: '{"a":1}' }
const packedOne = deflateRawSync(one.content)
const later = { flags: 0x808, local: { crc: 0, packedBytes: 0, bytes: 0 } }

describe('reads, in the order of the directory,', () => {
  test('files by any of two methods, without their folders', async () => {
    const archive = zip([
      { name: 'x/', attributes: 0o040755 * 65536 + 0x10 },
      { name: 'x/b.json', content: 'B', method: 0, attributes: 0o100644 * 65536 },
      { name: 'a.json', content: 'A'.repeat(600_000) },
      { name: 'empty.json' },
      { name: 'y/', packed: Uint8Array.of(3, 0), host: 0, attributes: 0x10 },
    ])
    expect(await contents(archive)).toEqual([
      ['x/b.json', 'B'],
      ['a.json', 'A'.repeat(600_000)],
      ['empty.json', ''],
    ])
  })

  test.each([12, 16, 20, 24] as const)(
    'streamed ones with descriptors of %i bytes',
    async (size) => {
      const members = GOOD.map((member) => ({
        ...member,
        ...later,
        after: descriptor(member.content, size),
      }))
      expect(await contents(zip(members))).toEqual(GOOD_CONTENTS)
    },
  )

  test.each(['marked', 'beside'] as const)('zip64 records, classic fields %s', async (zip64) => {
    expect(await contents(zip(GOOD, { zip64, comment: 'with a comment' }))).toEqual(GOOD_CONTENTS)
  })

  test('zip64 sizes and offsets of an entry', async () => {
    const packedBytes = deflateRawSync(one.content).length
    const extra = extraField(1, u64(one.content.length), u64(packedBytes), u64(0))
    const long = { bytes: 0xffffffff, packedBytes: 0xffffffff, extra }
    const archive = zip([{ ...one, central: { ...long, offset: 0xffffffff }, local: long }])
    expect(await contents(archive)).toEqual([[one.name, one.content]])
  })

  test.each([
    ['flagged as UTF-8', 'Zoë/世界.json', 0x800],
    ['UTF-8 without the flag, as macOS writes', 'Zoe\u0308.json', 0],
    ['ASCII without the flag', 'plain name.json', 0],
    ['of an object’s inner parts', '__proto__', 0],
    ['that only looks like leading out', '..a/b../...json', 0],
  ])('names %s', async (_, name, flags) => {
    expect(await contents(zip([{ name, content: 'x', flags }]))).toEqual([[name, 'x']])
  })

  test('a Unicode path beside a name of an old code page', async () => {
    const name = Uint8Array.of(0x81, 0x2e, 0x6a)
    const path = Buffer.from('ü.j')
    const extra = extraField(0x7075, Uint8Array.of(1), u32(crc32(name)), path)
    expect(await contents(zip([{ name, content: 'x', flags: 0, central: { extra } }]))).toEqual([
      ['ü.j', 'x'],
    ])
  })

  test('a leading "./" as nothing', async () => {
    expect(await contents(zip([{ name: './' }, { name: './a/b', content: 'x' }]))).toEqual([
      ['a/b', 'x'],
    ])
  })

  test('what jszip packs, streamed or not', async () => {
    const source = new JSZip()
    source.file('folder/a.json', '{"a":1}')
    source.file('b.json', 'b'.repeat(10_000))
    for (const streamFiles of [true, false]) {
      const archive = await source.generateAsync({
        type: 'uint8array',
        compression: 'DEFLATE',
        streamFiles,
        comment: 'made by jszip',
      })
      expect(await contents(archive)).toEqual([
        ['folder/a.json', '{"a":1}'],
        ['b.json', 'b'.repeat(10_000)],
      ])
    }
  })

  test('a part of a larger buffer, and a Buffer', async () => {
    const archive = zip(GOOD)
    const larger = join(new Uint8Array(5), archive, new Uint8Array(5))
    expect(await contents(larger.subarray(5, 5 + archive.length))).toEqual(GOOD_CONTENTS)
    expect(await contents(Buffer.from(archive))).toEqual(GOOD_CONTENTS)
  })

  test('an archive of nothing', async () => {
    expect(await contents(zip([]))).toEqual([])
  })

  test('as many entries, levels and bytes as allowed', async () => {
    const limits = {
      ...LIMITS,
      MAX_ENTRIES: 2,
      MAX_DEPTH: 3,
      MAX_ENTRY_BYTES: 5,
      MAX_UNPACKED_BYTES: 8,
    }
    const archive = zip([
      { name: 'a/b/c', content: '12345' },
      { name: 'd', content: '678' },
    ])
    expect(await contents(archive, { ...limits, MAX_ZIP_BYTES: archive.length })).toHaveLength(2)
  })
})

const windows = (...names: string[]) =>
  names.map((name) => ({ name, content: /[\\/]$/.test(name) ? '' : name, host: 0, flags: 0 }))

describe('names of archives that were made on Windows', () => {
  test.each([0, 10, 14])('have backslashes between their parts, of host %i', async (host) => {
    const members = windows('engineplugin.json', 'Städte\\', 'Städte\\sub\\data.json', 'a\\empty/')
    const files = await contents(zip(members.map((one) => ({ ...one, host, flags: 0x800 }))))
    expect(files.map(([path]) => path)).toEqual(['engineplugin.json', 'Städte/sub/data.json'])
  })

  test.each([
    [['..\\a'], 'leads out of its folder'],
    [['a\\..\\..\\b'], 'leads out of its folder'],
    [['C:\\a'], 'absolute path'],
    [['\\\\server\\a'], 'absolute path'],
    [['\\a'], 'absolute path'],
    [['a\\\\b'], 'empty part'],
    [['1\\2\\3\\4\\5\\6\\7\\8\\9\\10\\11\\12\\13\\14\\15\\16\\17'], 'is 17 levels deep'],
    [['a\\b', 'A\\b'], 'has the same name as'],
    [['a\\b', 'a\\b'], 'occurs twice'],
    [['a\\b', 'a'], 'has the same name as'],
    [['a\\b', 'a/c'], 'has a backslash in its path'],
    [['a\\b/c'], 'has a backslash in its path'],
  ])('are refused like others: %j, %s', async (names, message) => {
    expect((await refusal(zip(windows(...names)))).message).toContain(message)
  })

  test('are refused when one entry was made elsewhere, where a name can hold a backslash', async () => {
    const archive = zip([...windows('a\\b'), { name: 'c', content: 'x', host: 3 }])
    expect((await refusal(archive)).message).toContain('has a backslash in its path')
  })
})

describe('refuses names', () => {
  test.each([
    ['/etc/passwd', 'absolute path'],
    ['//server/share', 'absolute path'],
    ['C:/windows', 'absolute path'],
    ['c:a', 'absolute path'],
    ['../a', 'leads out of its folder'],
    ['a/../../b', 'leads out of its folder'],
    ['a/..', 'leads out of its folder'],
    ['..', 'leads out of its folder'],
    ['a\\b.json', 'has a backslash in its path; pack the archive with a tool that writes forward'],
    ['..\\a', 'backslash'],
    ['a\0.json', 'control character'],
    ['a\nb', 'control character'],
    ['a\u0085b', 'control character'],
    ['a\u202egnp.json', 'control character'],
    ['a//b', 'empty part'],
    ['a/./b', 'empty part or "."'],
    ['.', 'empty part or "."'],
    ['', 'no name'],
    ['n'.repeat(1025), 'longer than 1024 bytes'],
    ['1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17', 'is 17 levels deep, at most 16 are allowed'],
  ])('%j: %s', async (name, message) => {
    const error = await refusal(zip([...GOOD, { name, content: 'x' }]))
    expect(error).toMatchObject({ code: 'invalid_input' })
    expect(error.message).toContain(message)
    expect(error.message).not.toMatch(/\p{Cc}|\u202e/u)
  })

  test.each([0, 0x800])('that are not UTF-8, with flags %i', async (flags) => {
    const error = await refusal(zip([{ name: Uint8Array.of(0x61, 0xff), content: 'x', flags }]))
    expect(error.message).toContain('"a\ufffd" has a name that is not UTF-8')
  })

  test.each([
    ['a.json', 'a.json', 'occurs twice'],
    ['./a.json', 'a.json', 'occurs twice'],
    ['folder/', 'folder/', 'occurs twice'],
    ['A.json', 'a.json', 'has the same name as "A.json"'],
    ['Folder/a', 'folder/b', 'has the same name as "Folder/"'],
    ['\u00c9.json', 'e\u0301.json', 'has the same name as'],
    ['x', 'x/', 'has the same name as "x"'],
    ['x/a', 'x', 'has the same name as "x/"'],
  ])('%j beside %j', async (first, second, message) => {
    const error = await refusal(
      zip([
        { name: first, content: first.endsWith('/') ? '' : '1' },
        { name: second, content: second.endsWith('/') ? '' : '2' },
      ]),
    )
    expect(error.message).toContain(message)
  })

  test('that the local header spells otherwise', async () => {
    const error = await refusal(zip([{ ...one, local: { name: 'b.json' } }]))
    expect(error.message).toContain('"a.json" has two headers that contradict each other')
  })

  test('with an outdated or a second Unicode path', async () => {
    const outdated = extraField(0x7075, Uint8Array.of(1), u32(0), Buffer.from('b'))
    const withExtra = (extra: Uint8Array) => zip([{ ...one, flags: 0, central: { extra } }])
    expect((await refusal(withExtra(outdated))).message).toContain('second, outdated name')
    expect((await refusal(withExtra(join(outdated, outdated)))).message).toContain('twice')
  })
})

describe('refuses entries', () => {
  const link = { name: 'l', content: '/etc/passwd' }
  const saying = (bytes: number) => ({ central: { bytes }, local: { bytes } })
  test.each([
    ['a symbolic link', { ...link, attributes: 0o120777 * 65536 }, 'symbolic link'],
    [
      'a link whatever the system',
      { ...link, host: 0, attributes: 0o120777 * 65536 },
      'symbolic link',
    ],
    ['a Windows link', { ...link, host: 10, attributes: 0x420 }, 'symbolic link'],
    ['a device', { ...one, attributes: 0o020666 * 65536 }, 'not marked as the plain file'],
    ['a file marked as a folder', { ...one, attributes: 0x10 }, 'not marked as the plain file'],
    ['a file marked as a Unix folder', { ...one, attributes: 0o040755 * 65536 }, 'not marked'],
    ['a folder marked as a file', { name: 'a/', attributes: 0o100644 * 65536 }, 'not marked'],
    ['a folder with content', { name: 'a/', content: 'hidden' }, 'impossible sizes'],
    ['encryption', { ...one, flags: 0x801 }, 'is encrypted; pack the archive without a password'],
    [
      'encryption in the local header',
      { ...one, local: { flags: 0x801 } },
      'contradict each other',
    ],
    ['strong encryption', { ...one, flags: 0x841 }, 'is encrypted'],
    ['masked headers', { ...one, flags: 0x2800 }, 'is encrypted'],
    ['a patch', { ...one, flags: 0x820 }, 'pack the archive with "deflate"'],
    ['LZMA', { ...one, central: { method: 14 }, local: { method: 14 } }, 'is packed by method 14'],
    ['two methods', { ...one, local: { method: 0 } }, 'contradict each other'],
    ['two sizes', { ...one, local: { bytes: 3 } }, 'contradict each other'],
    ['zeros with no descriptor', { ...one, local: later.local }, 'contradict each other'],
    ['two checksums', { ...one, local: { crc: 3 } }, 'contradict each other'],
    ['a wrong checksum', { ...one, central: { crc: 3 }, local: { crc: 3 } }, 'does not match'],
    ['fewer bytes than it says', { ...one, ...saying(8) }, 'does not match'],
    ['more bytes than it says', { ...one, ...saying(6) }, 'more than it declares'],
    ['a broken stream', { ...one, packed: Uint8Array.of(7, 7, 7, 7, 7, 7) }, 'does not match'],
    ['a stream that is cut', { ...one, packed: packedOne.subarray(0, -2) }, 'does not match'],
    ['data after its stream', { ...one, packed: join(packedOne, u32(1)) }, 'does not match'],
    [
      'an extra field too long',
      { ...one, central: { extra: Uint8Array.of(1, 2, 9, 0) } },
      'broken extra',
    ],
    ['a zip64 size left out', { ...one, central: { bytes: 0xffffffff } }, 'lacks a zip64 size'],
    ['another disk', { ...one, central: { disk: 1 } }, 'is on another disk'],
    ['an offset to nowhere', { ...one, central: { offset: 7 } }, 'begin with its first entry'],
  ])('%s', async (_, member, message) => {
    const error = await refusal(zip([member]))
    expect(error).toMatchObject({ code: 'invalid_input' })
    expect(error.message).toContain(message)
  })

  test('whose descriptor says otherwise', async () => {
    for (const other of ['{"a":2}', 'longer than before']) {
      const member = { ...one, ...later, method: 0 as const, after: descriptor(other, 16, 0) }
      expect((await refusal(zip([member]))).message).toContain('followed by data of no entry')
    }
  })
})

describe('refuses archives', () => {
  test.each([
    ['nothing', new Uint8Array(), 'not a ZIP archive; choose a .zip file'],
    ['something else', Buffer.from('{"not":"a zip"}'.repeat(10)), 'not a ZIP archive'],
    ['half of one', zip(GOOD).subarray(0, 60), 'probably cut short'],
    [
      'data before',
      zip(GOOD, { before: Buffer.from('#!/bin/sh\n') }),
      'begin with its first entry',
    ],
    ['unadjusted data before', join(Buffer.from('MZ'), zip(GOOD)), 'has data before, after'],
    ['data after', zip(GOOD, { trailing: Buffer.from('x') }), 'has data before, after'],
    ['two joined', join(zip(GOOD), zip([one])), 'has data before, after'],
    ['an end record in the comment', zip(GOOD, { comment: zip([]) }), 'has data before, after'],
    ['a gap', zip([{ ...one, after: Buffer.from('hidden') }]), 'followed by data of no entry'],
    [
      'a gap between two entries',
      zip([
        { ...one, after: Buffer.from('hidden') },
        { ...one, name: 'b.json' },
      ]),
      'followed by data of no entry',
    ],
    [
      'an entry out of the directory',
      zip([one, { name: 'x', content: 'x', only: 'local' }]),
      'followed by data of no entry',
    ],
    ['an entry less than said', zip(GOOD, { count: 3 }), 'holds fewer entries'],
    ['an entry more than said', zip(GOOD, { count: 1 }), 'holds more entries'],
    ['several disks', zip(GOOD, { disk: 1 }), 'one part of several'],
    ['a gap before zip64 records', zip(GOOD, { zip64: 'marked', gap: u32(0) }), 'has data before'],
    ['a zip64 count too low', zip(GOOD, { zip64: 'marked', zip64Count: 1 }), 'more entries'],
    ['two end records that contradict', zip(GOOD, { zip64: 'beside', count: 1 }), 'contradict'],
  ])('%s', async (_, archive, message) => {
    const error = await refusal(archive)
    expect(error).toMatchObject({ code: 'invalid_input' })
    expect(error.message).toContain(message)
  })

  test.each([
    ['packed bytes', zip(GOOD), { MAX_ZIP_BYTES: 100 }, 'The archive is larger than 100 bytes'],
    ['entries', zip(GOOD), { MAX_ENTRIES: 1 }, 'has 2 entries, at most 1 are allowed'],
    [
      'an entry',
      zip(GOOD),
      { MAX_ENTRY_BYTES: 7 },
      '"a.json" unpacks to 10 bytes, at most 7 bytes',
    ],
    ['all entries', zip(GOOD), { MAX_UNPACKED_BYTES: 16 }, 'unpacks to more than 16 bytes'],
  ])('over the limit of %s', async (_, archive, limit, message) => {
    const error = await refusal(archive, { ...LIMITS, ...limit })
    expect(error).toMatchObject({ code: 'too_large' })
    expect(error.message).toContain(message)
  })

  test('of 10,001 entries, and takes 10,000', async () => {
    const members = Array.from({ length: 10_001 }, (_, index) => ({ name: `f/${index}.json` }))
    expect(await refusal(zip(members))).toMatchObject({ code: 'too_large' })
    expect(await contents(zip(members.slice(1)))).toHaveLength(10_000)
  })
})
