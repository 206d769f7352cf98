import { describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { keyFiles, newSecretKey } from '@/lib/signatures/key-pair'
import { readPublicKey } from '@/lib/signatures/public-key'
import { signContent } from '@/lib/signatures/sign'
import { isSignedBy } from '@/lib/signatures/signature'
import { descriptor, zip } from '@/lib/testing/zip'
import { openArchive } from './open-archive'
import { readSigned, signedList } from './signed-files'

const secret = newSecretKey()
const key = readPublicKey((await keyFiles(secret, '')).publicKey)
const MANIFEST = '{"id":"com.example.shop","name":"Shop","version":"1.0.0"}'
const FILES = {
  'engineplugin.json': MANIFEST,
  'Shoe/__manifest__.json': '{"target":"Shoe"}',
  'Shoe/data.json': '[{"id":1}]',
}
const SIGNATURE = 'engineplugin.minisig'

const entriesOf = (files: Record<string, string>) =>
  Object.entries(files).map(([name, content]) => ({ name, content }))
const listOf = (files: Record<string, string>) =>
  signedList(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])))
const signature = signContent(await listOf(FILES), secret, 'com.example.shop 1.0.0')

type Members = Parameters<typeof zip>[0]

/** Whether the archive is signed by the key; throws for one that is refused as a whole. */
async function isSigned(members: Members, options?: Parameters<typeof zip>[1]): Promise<boolean> {
  const archive = await openArchive(zip(members, options), parseEnv({}))
  const signed = await readSigned(archive)
  if (!signed) throw new Error('no signature was read')
  return isSignedBy(key, signed.signature, signed.digest)
}

const signed = [...entriesOf(FILES), { name: SIGNATURE, content: signature }]

describe('the list of files', () => {
  test('is what sha256sum prints, by the bytes of the paths', async () => {
    expect(await listOf({ b: '', 'a/b': 'x', a: '', Z: '', é: '', 'a b': '' })).toBe(
      `${['Z', 'a', 'a b', 'a/b', 'b', 'é']
        .map((path) => `${path === 'a/b' ? OF_X : OF_NOTHING}  ${path}\n`)
        .join('')}`,
    )
  })
})

const OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const OF_X = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'

describe('an archive', () => {
  test('is signed in any order, packed in any way, in a folder of its own too', async () => {
    expect(await isSigned(signed)).toBe(true)
    expect(await isSigned(signed.toReversed())).toBe(true)
    expect(await isSigned(signed.map((one) => ({ ...one, method: 0 as const })))).toBe(true)
    expect(await isSigned(signed.map((one) => ({ ...one, name: `shop/${one.name}` })))).toBe(true)
    expect(await isSigned(signed, { comment: 'not of any file' })).toBe(true)
  })

  test('without a signature has none, and its signature is no file of the plugin', async () => {
    const without = await openArchive(zip(entriesOf(FILES)), parseEnv({}))
    expect(await readSigned(without)).toBeNull()
    const archive = await openArchive(zip(signed), parseEnv({}))
    expect(archive.layout.ignored).toEqual([])
  })

  const changed = (name: string, content: string) =>
    signed.map((one) => (one.name === name ? { ...one, content } : one))

  test.each<[string, Members]>([
    ['a swapped file', changed('Shoe/data.json', '[{"id":2}]')],
    ['another version', changed('engineplugin.json', MANIFEST.replace('1.0.0', '9.0.0'))],
    ['a file more', [...signed, { name: 'Shoe/more.json', content: '[]' }]],
    ['an ignored file more', [...signed, { name: 'readme.txt', content: 'x' }]],
    ['a hidden file more', [...signed, { name: '.hidden', content: 'x' }]],
    ['a second signature', [...signed, { name: `Shoe/${SIGNATURE}`, content: signature }]],
    ['a file less', signed.filter(({ name }) => name !== 'Shoe/data.json')],
    [
      'a file elsewhere',
      signed.map((one) => ({ ...one, name: one.name.replace('Shoe/data', 'Shoe/x') })),
    ],
  ])('with %s is not signed', async (_, members) => {
    expect(await isSigned(members)).toBe(false)
  })

  test.each<[string, Members, RegExp]>([
    ['a truncated signature', changed(SIGNATURE, signature.slice(0, 150)), /truncated/],
    ['data after its signature', changed(SIGNATURE, `${signature}more`), /something follows/],
    ['a file twice', [...signed, { name: 'Shoe/data.json', content: '[]' }], /occurs twice/],
    ['two signatures', [...signed, { name: SIGNATURE, content: 'x' }], /occurs twice/],
    ['a name in other letters', [...signed, { name: 'shoe/data.json' }], /same name/],
    ['a way out of its folder', [...signed, { name: '../x.json' }], /leads out/],
    ['a path with a dot', [...signed, { name: 'Shoe/./data.json' }], /empty part or/],
    ['an absolute path', [...signed, { name: '/Shoe/data.json' }], /absolute/],
    ['a backslash', [...signed, { name: 'Shoe\\data.json' }], /backslash/],
    ['a line break in a name', [...signed, { name: 'a\nb' }], /control character/],
    ['a file in its directory alone', [...signed, { name: 'a', only: 'central' }], /./],
    [
      'a file out of its directory',
      [...signed, { name: 'a', content: 'x', only: 'local' }],
      /no entry/,
    ],
  ])('with %s is refused', async (_, members, reason) => {
    await expect(isSigned(members)).rejects.toThrow(reason)
  })

  test('with data between, before or after its files is refused', async () => {
    const after = descriptor('more', 12)
    const [first, ...others] = signed
    if (!first) throw new Error('no file')
    await expect(isSigned([{ ...first, after }, ...others])).rejects.toThrow(/data of no entry/)
    await expect(isSigned(signed, { before: Buffer.from('x') })).rejects.toThrow()
    await expect(isSigned(signed, { trailing: Buffer.from('x') })).rejects.toThrow()
  })

  test('with hidden files beside its folder is refused', async () => {
    const inFolder = signed.map((one) => ({ ...one, name: `shop/${one.name}` }))
    await expect(isSigned([...inFolder, { name: '__MACOSX/x' }])).rejects.toThrow(/beside/)
  })
})
