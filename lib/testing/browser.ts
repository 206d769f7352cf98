import { PEER_HEADER } from '@/lib/auth/request-origin'
import type { Deps } from '@/lib/deps'
import type { Handler } from '@/lib/http/route'
import { Cookies } from './cookies'
import { call } from './request'

type Options = { address?: string; headers?: Record<string, string> }
type Request = {
  method?: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  params?: Record<string, string | string[]>
}

/** Calls handlers like a browser on one of our pages: with its cookies and origin. */
export class Browser {
  private cookies = new Cookies()

  constructor(
    private readonly deps: Deps,
    private readonly options: Options = {},
  ) {}

  async call(handler: Handler, request: Request) {
    const response = await call(this.deps, handler, {
      ...request,
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: this.cookies.header(),
        [PEER_HEADER]: this.options.address ?? '192.0.2.200',
        ...this.options.headers,
        ...request.headers,
      },
    })
    this.cookies.keep(response.headers)
    return response
  }

  /** For a request whose response is no text. */
  cookieHeader = (): string => this.cookies.header()

  async signIn(email: string, password: string) {
    return this.sendForm({ email, password })
  }

  /** A step of a sign-in with these fields. */
  async sendForm(fields: Record<string, string>) {
    const { body } = await this.auth('GET', ['csrf'])
    const form = { csrfToken: body.csrfToken, json: 'true', ...fields }
    return this.auth('POST', ['callback', 'credentials'], form)
  }

  async signOut() {
    const { body } = await this.auth('GET', ['csrf'])
    return this.auth('POST', ['signout'], { csrfToken: body.csrfToken, json: 'true' })
  }

  /** The session as next-auth gives it to the page; `{}` when the browser is not signed in. */
  async session() {
    return (await this.auth('GET', ['session'])).body
  }

  /** Another browser with the same cookies, at the same address unless another is given. */
  copy(address = this.options.address): Browser {
    const copy = new Browser(this.deps, { ...this.options, address })
    copy.cookies = this.cookies.copy()
    return copy
  }

  /** The same browser at another instance. */
  at(deps: Deps): Browser {
    const same = new Browser(deps, this.options)
    same.cookies = this.cookies.copy()
    return same
  }

  private async auth(method: 'GET' | 'POST', nextauth: string[], fields?: Record<string, string>) {
    const { nextAuthRoute } = await import('@/lib/http/next-auth-route')
    return this.call(nextAuthRoute, {
      method,
      path: `/api/auth/${nextauth.join('/')}`,
      params: { nextauth },
      body: fields && new URLSearchParams(fields).toString(),
      headers: fields && { 'content-type': 'application/x-www-form-urlencoded' },
    })
  }
}
