import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { Cookies } from './cookies'
import { listen } from './listen'

export type Person = { sub: string; email?: string; email_verified?: boolean; groups?: string[] }

/** What stands between this server and the provider. */
export type Faults = {
  /** Of ID tokens, which are signed again afterwards. */
  claims?: (claims: JWTPayload) => JWTPayload
  /** In place of the signature by the provider's key. */
  sign?: (claims: JWTPayload) => string | Promise<string>
  /** In place of a whole answer at this path. */
  answer?: { path: string; status?: number; body: string }
  /** The answer at this path comes this much later. */
  slow?: { path: string; ms: number }
}

export const CLIENT = { id: 'engine', secret: 'a secret of the client' }

/** `oidc-provider` on this machine, behind a proxy that plants faults. */
export class IdentityProvider {
  people: Person[] = []
  /** Who is disabled there: the `sub` of each. */
  disabled = new Set<string>()
  faults: Faults = {}
  /** The paths that were asked for. */
  asked: string[] = []
  private key!: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
  private keyId = ''
  private inner!: { port: number; close: () => void }
  private outer!: { port: number; close: () => void }

  static async start(redirectUris: string[], settings: object = {}): Promise<IdentityProvider> {
    const started = new IdentityProvider(redirectUris, settings)
    started.outer = await listen(createServer((from, to) => started.pass(from, to)))
    await started.restart()
    return started
  }

  private constructor(
    private readonly redirectUris: string[],
    private readonly settings: object,
  ) {}

  get issuer(): string {
    return `http://127.0.0.1:${this.outer.port}`
  }

  /** With a new key in place of the one before. */
  async restart(): Promise<void> {
    this.inner?.close()
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    this.key = privateKey
    this.keyId = crypto.randomUUID()
    const jwk = { ...(await exportJWK(privateKey)), kid: this.keyId, alg: 'RS256', use: 'sig' }
    const provider = new Provider(this.issuer, { ...this.configuration([jwk]), ...this.settings })
    const respond = provider.callback()
    const server = createServer((from, to) => {
      if (!from.url?.startsWith('/interaction/')) return respond(from, to)
      const accountId = new URLSearchParams(from.headers['x-person'] as string).get('sub')
      const result = { login: { accountId, remember: false } }
      return provider.interactionFinished(from, to, result).catch((error) => to.destroy(error))
    })
    this.inner = await listen(server)
    this.grants = provider
  }
  private grants!: Provider

  close(): void {
    this.inner.close()
    this.outer.close()
  }

  private configuration(keys: object[]) {
    const { id: client_id, secret: client_secret } = CLIENT
    const client = { client_id, client_secret, redirect_uris: this.redirectUris }
    return {
      clients: [
        {
          ...client,
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
      ],
      jwks: { keys },
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of cookies'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      pkce: { required: () => true },
      ttl: {
        AccessToken: 60,
        AuthorizationCode: 60,
        RefreshToken: 60,
        IdToken: 60,
        Interaction: 60,
        Session: 60,
        Grant: 60,
      },
      findAccount: (_: unknown, sub: string) =>
        this.disabled.has(sub)
          ? undefined
          : {
              accountId: sub,
              claims: () => this.people.find((person) => person.sub === sub) ?? { sub },
            },
      loadExistingGrant: async (context: {
        oidc: { client: { clientId: string }; session: { accountId: string } }
      }) => {
        const { client, session } = context.oidc
        const grant = new this.grants.Grant({
          accountId: session.accountId,
          clientId: client.clientId,
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    }
  }

  /** What the browser of a person does from the address of the provider on: where it sends them back to. */
  async signIn(address: string, sub: string): Promise<string> {
    const cookies = new Cookies()
    let location = address
    for (let step = 0; step < 6 && location.startsWith(this.issuer); step++) {
      const headers = { cookie: cookies.header(), 'x-person': `sub=${encodeURIComponent(sub)}` }
      const response = await fetch(location, { redirect: 'manual', headers })
      cookies.keep(response.headers)
      const next = response.headers.get('location')
      if (!next)
        throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
      location = new URL(next, location).href
    }
    return location
  }

  private async pass(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const path = from.url?.split('?')[0] ?? ''
    this.asked.push(path)
    const { answer, slow } = this.faults
    if (slow?.path === path) await delay(slow.ms)
    if (answer?.path === path) {
      to.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json' }).end(answer.body)
      return
    }
    const inner = { host: '127.0.0.1', port: this.inner.port, agent: false as const }
    const passed = request({ ...inner, method: from.method, path: from.url, headers: from.headers })
    passed.on('error', () => to.destroy())
    passed.on('response', async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part)
      const body = Buffer.concat(parts)
      const sent = path === '/token' ? await this.changed(body) : body
      const headers = { ...response.headers, 'content-length': String(sent.length) }
      delete (headers as Record<string, unknown>)['transfer-encoding']
      to.writeHead(response.statusCode ?? 502, headers).end(sent)
    })
    from.pipe(passed)
  }

  private async changed(body: Buffer): Promise<Buffer> {
    const tokens = JSON.parse(body.toString()) as { id_token?: string }
    const { claims, sign } = this.faults
    if (!tokens.id_token || (!claims && !sign)) return body
    const payload = Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString()
    const changed = (claims ?? ((same) => same))(JSON.parse(payload) as JWTPayload)
    const signed = sign ? await sign(changed) : await this.sign(changed)
    return Buffer.from(JSON.stringify({ ...tokens, id_token: signed }))
  }

  sign(claims: JWTPayload): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: this.keyId }).sign(this.key)
  }
}
