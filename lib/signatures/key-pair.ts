import { generateKeyPairSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { blake2b } from '@noble/hashes/blake2.js'
import { AppError } from '@/lib/errors'
import { bytesOfBase64, UNTRUSTED } from './minisign-text'
import { keyIdOf, publicKeyText } from './public-key'

/** Of the seed and the public key, as in minisign's files. */
export type SecretKey = { keyId: Buffer; seed: Buffer; publicKey: Buffer }

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

const BYTES = 158
const LOCKED_BYTES = 104
const [ALGORITHM, SCRYPT, UNLOCKED, CHECKSUM] = ['Ed', 'Sc', '\0\0', 'B2']
/** What deriving a key takes: 128 MiB. minisign takes a GiB, and reads these costs from the file. */
const COSTS = { operations: 2 ** 22, memoryBytes: 2 ** 27 }
const MAX_MEMORY_BYTES = 2 ** 30

export function newSecretKey(): SecretKey {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const [seed, publicKey] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  return { keyId: randomBytes(8), seed, publicKey }
}

/** The two files of a key: the secret one as `minisign -G` writes it, encrypted unless the password is empty. */
export async function keyFiles(key: SecretKey, password: string) {
  const { keyId, seed, publicKey } = key
  const salt = randomBytes(32)
  const plain = Buffer.concat([keyId, seed, publicKey, checksumOf(key)])
  const kept = password === '' ? plain : mix(plain, await padOf(password, salt, COSTS))
  const head = Buffer.from(
    `${ALGORITHM}${password === '' ? UNLOCKED : SCRYPT}${CHECKSUM}`,
    'latin1',
  )
  const secret = Buffer.concat([head, salt, costBytes(password === '' ? null : COSTS), kept])
  const [id, text] = [keyIdOf(keyId), publicKeyText(keyId, publicKey)]
  return {
    keyId: id,
    publicKey: text,
    publicFile: `${UNTRUSTED}minisign public key ${id}\n${text}\n`,
    secretFile: `${UNTRUSTED}minisign encrypted secret key\n${secret.toString('base64')}\n`,
  }
}

/** Whether a password is needed to read the file. */
export const isLocked = (file: string): boolean => bytesOf(file).toString('latin1', 2, 4) === SCRYPT

/** Reads a file of `engine keygen` or `minisign -G`. Throws `invalid_input` for another one, and for a wrong password. */
export async function readSecretKey(file: string, password: string): Promise<SecretKey> {
  const bytes = bytesOf(file)
  const kept = bytes.subarray(54)
  const costs = {
    operations: Number(bytes.readBigUInt64LE(38)),
    memoryBytes: Number(bytes.readBigUInt64LE(46)),
  }
  const plain = isLocked(file)
    ? mix(kept, await padOf(password, bytes.subarray(6, 38), costs))
    : kept
  const key = {
    keyId: plain.subarray(0, 8),
    seed: plain.subarray(8, 40),
    publicKey: plain.subarray(40, 72),
  }
  if (checksumOf(key).equals(plain.subarray(72))) return key
  const why = isLocked(file) ? 'The password of the key is wrong' : 'The key is damaged'
  throw new AppError('invalid_input', why)
}

function bytesOf(file: string): Buffer {
  const lines = file.trim().split(/\r?\n/)
  const bytes = lines.length === 2 ? bytesOfBase64(lines[1] ?? '', BYTES) : null
  const [form, kept] = [bytes?.toString('latin1', 0, 2), bytes?.toString('latin1', 2, 4) ?? '']
  if (bytes && form === ALGORITHM && [SCRYPT, UNLOCKED].includes(kept)) return bytes
  throw new AppError('invalid_input', 'This is no secret key of minisign or "engine keygen"')
}

const checksumOf = ({ keyId, seed, publicKey }: SecretKey): Buffer =>
  Buffer.from(
    blake2b(Buffer.concat([Buffer.from(ALGORITHM), keyId, seed, publicKey]), { dkLen: 32 }),
  )

type Costs = typeof COSTS

/** As libsodium takes parameters of scrypt from costs, for all that minisign writes: r = 8, p = 1. */
async function padOf(password: string, salt: Buffer, { operations, memoryBytes }: Costs) {
  if (memoryBytes > MAX_MEMORY_BYTES || operations < memoryBytes / 32)
    throw new AppError('invalid_input', 'The key is encrypted in a way that is not supported')
  const rounds = 2 ** Math.floor(Math.log2(memoryBytes / 1024))
  const limits = { N: rounds, r: 8, p: 1, maxmem: 2 * MAX_MEMORY_BYTES }
  return derive(password, salt, LOCKED_BYTES, limits)
}

const mix = (bytes: Buffer, pad: Buffer) =>
  Buffer.from(bytes.map((byte, at) => byte ^ (pad[at] ?? 0)))

function costBytes(costs: Costs | null): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeBigUInt64LE(BigInt(costs?.operations ?? 0), 0)
  bytes.writeBigUInt64LE(BigInt(costs?.memoryBytes ?? 0), 8)
  return bytes
}
