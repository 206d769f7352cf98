import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openArchive } from '@/lib/archives/open-archive'
import { readSigned } from '@/lib/archives/signed-files'
import { parseEnv } from '@/lib/env'
import { readPublicKey } from '@/lib/signatures/public-key'
import { isSignedBy } from '@/lib/signatures/signature'
import { newFolder, newPlugin, run, runJson } from '../testing/cli'

const withPassword = (password: string) => ({ env: { ENGINE_KEY_PASSWORD: password } })

/** A plugin's folder with a key in it, which is not encrypted. */
async function newSigner() {
  const folder = await newPlugin()
  const { json } = await runJson(['keygen', '--no-password'], folder)
  return { folder, key: readPublicKey(json.publicKey) }
}

async function signedBy(folder: string, name: string) {
  const zip = await readFile(join(folder, name))
  const signed = await readSigned(await openArchive(zip, parseEnv({})))
  if (!signed) throw new Error('The archive is not signed')
  return signed
}

describe('engine keygen', () => {
  test('writes a key for its owner alone, and never over another', async () => {
    const folder = await newFolder()
    const { code, json } = await runJson(['keygen', 'mine'], folder, withPassword('open'))
    expect(code).toBe(0)
    expect((await stat(join(folder, 'mine.key'))).mode & 0o777).toBe(0o600)
    const written = await readFile(join(folder, 'mine.pub'), 'utf8')
    expect(readPublicKey(written)).toMatchObject({ keyId: json.keyId, text: json.publicKey })
    const again = await run(['keygen', 'mine'], folder, withPassword('open'))
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('exists already')])
    await rm(join(folder, 'mine.key'))
    const beside = await run(['keygen', 'mine'], folder, withPassword('open'))
    expect([beside.code, beside.err]).toEqual([2, expect.stringContaining('mine.pub exists')])
    await expect(stat(join(folder, 'mine.key'))).rejects.toThrow('no such file')
  })

  test('asks for the password twice, and does not go on without one', async () => {
    const folder = await newFolder()
    const answers = ['one', 'two']
    const ask = async () => answers.shift() ?? ''
    const differing = await run(['keygen'], folder, { ask })
    expect([differing.code, differing.err]).toEqual([2, expect.stringContaining('differ')])
    const empty = await run(['keygen'], folder, { ask })
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('--no-password')])
    const none = await run(['keygen'], folder)
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('ENGINE_KEY_PASSWORD')])
  })
})

describe('engine pack --sign', () => {
  test('puts a signature of all files into the archive, the same each time', async () => {
    const { folder, key } = await newSigner()
    await run(['pack', '--sign', 'engine.key', '-o', 'one.zip'], folder)
    const { signature, digest } = await signedBy(folder, 'one.zip')
    expect(isSignedBy(key, signature, digest)).toBe(true)
    expect(signature.comment).toBe('com.example.shop 1.0.0')
    await run(['pack', '--sign', 'engine.key', '-o', 'two.zip'], folder)
    const [one, two] = await Promise.all(
      ['one.zip', 'two.zip'].map((name) => readFile(join(folder, name))),
    )
    expect(two).toEqual(one)
  })

  test('leaves keys out of the archive', async () => {
    const { folder } = await newSigner()
    await run(['pack', '-o', 'plain.zip'], folder)
    const { entries } = await openArchive(await readFile(join(folder, 'plain.zip')), parseEnv({}))
    expect([...entries.keys()].filter((path) => /\.(key|pub|minisig)$/.test(path))).toEqual([])
  })

  test('refuses a wrong password, and a file that is no key', async () => {
    const { folder } = await newSigner()
    await run(['keygen', 'locked'], folder, withPassword('open'))
    const wrong = await run(['pack', '--sign', 'locked.key'], folder, withPassword('shut'))
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('password')])
    const none = await run(['pack', '--sign', 'engineplugin.json'], folder)
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('no secret key')])
    const missing = await run(['pack', '--sign', 'no.key'], folder)
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('Cannot read')])
  })
})
