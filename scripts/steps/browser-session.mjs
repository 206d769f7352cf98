import { StepError } from './run.mjs'

/** Requests as a browser sends them, with its cookies. `origin`: the address that people use, where it is another. */
export class BrowserSession {
  #cookies = new Map()

  /**
   * @param {string} url
   * @param {string} origin
   */
  constructor(url, origin = url) {
    this.url = url
    this.origin = new URL(origin).origin
  }

  /** @param {{ email: string, password: string }} account */
  async signIn(account) {
    const { csrfToken } = await (await this.send('/api/auth/csrf')).json()
    const body = new URLSearchParams({ csrfToken, json: 'true', ...account })
    const response = await this.send('/api/auth/callback/credentials', { method: 'POST', body })
    if (response.status !== 200)
      throw new StepError(`Signing in: ${response.status} ${await response.text()}`)
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  post(path, body) {
    const headers = { 'content-type': 'application/json' }
    return this.send(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /**
   * @param {string} path
   * @param {{ method?: string, headers?: Record<string, string>, body?: string | URLSearchParams }} [options]
   * @returns {Promise<Response>}
   */
  async send(path, { headers = {}, ...options } = {}) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const own = { cookie, origin: this.origin }
    const response = await fetch(this.url + path, {
      ...options,
      redirect: 'manual',
      headers: { ...own, ...headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name) this.#cookies.set(name, value)
    }
    return response
  }
}
