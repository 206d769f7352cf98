import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type Challenge = { challengeId: string; options: Record<string, unknown> }
type Options = { origin?: string; verified?: boolean; format?: 'none' | 'apple'; counter?: number }

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const WITH_CREDENTIAL = 0x40

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (value: string) => header(3, Buffer.from(value))
const bytes = (value: Buffer) => header(2, value)
/** CBOR of what is at most 65,535 bytes long. */
const header = (kind: number, value: Buffer) => Buffer.concat([size(kind, value.length), value])
function size(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(kind << 5) | length])
  if (length < 256) return Buffer.from([(kind << 5) | 24, length])
  return Buffer.from([(kind << 5) | 25, length >> 8, length & 255])
}
const integer = (value: number) => (value < 0 ? size(1, -1 - value) : size(0, value))
const map = (entries: [Buffer, Buffer][]) =>
  Buffer.concat([size(5, entries.length), ...entries.flat()])

/** A device with one passkey, which signs what it is asked for. */
export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private readonly id = randomBytes(32)
  private counter = 0

  constructor(private readonly origin = 'http://localhost:3000') {}

  /** The response to `POST …/passkeys/options`, as browsers make it. */
  create({ options }: Challenge, { format = 'none', ...rest }: Options = {}) {
    const length = Buffer.from([0, this.id.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.publicKey()])
    const authData = Buffer.concat([this.data(WITH_CREDENTIAL, rest), credential])
    const attestationObject = map([
      [text('fmt'), text(format)],
      [text('attStmt'), map([])],
      [text('authData'), bytes(authData)],
    ])
    const clientDataJSON = this.clientData('webauthn.create', options, rest)
    return this.credential({
      clientDataJSON: clientDataJSON.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The response to `POST /api/auth/passkey`. */
  get({ options }: Challenge, rest: Options = {}) {
    const authData = this.data(0, rest)
    const clientData = this.clientData('webauthn.get', options, rest)
    const signed = Buffer.concat([authData, sha256(clientData)])
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
    })
  }

  private credential<Response>(response: Response) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  private clientData(type: string, { challenge }: Record<string, unknown>, { origin }: Options) {
    return Buffer.from(JSON.stringify({ type, challenge, origin: origin ?? this.origin }))
  }

  private data(flags: number, { verified = true, counter = ++this.counter }: Options): Buffer {
    const all = flags | USER_PRESENT | (verified ? USER_VERIFIED : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(new URL(this.origin).hostname), Buffer.from([all]), count])
  }

  /** COSE: EC2, ES256, P-256. */
  private publicKey(): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    return map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y, 'base64url'))],
    ])
  }
}
