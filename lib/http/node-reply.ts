/** The part of a Node response that next-auth uses; becomes a `Response`. */
export class NodeReply {
  private code = 200
  private body: string | null = null
  private readonly headers = new Map<string, string | string[]>()

  status(code: number): this {
    this.code = code
    return this
  }

  getHeader(name: string): string | string[] | undefined {
    return this.headers.get(name.toLowerCase())
  }

  setHeader(name: string, value: string | string[]): this {
    this.headers.set(name.toLowerCase(), value)
    return this
  }

  addCookie(cookie: string): void {
    this.setHeader('Set-Cookie', [...[this.getHeader('Set-Cookie') ?? []].flat(), cookie])
  }

  json(value: unknown): void {
    this.setHeader('Content-Type', 'application/json; charset=utf-8')
    this.body = JSON.stringify(value)
  }

  send(value: unknown): void {
    if (typeof value === 'string') this.body = value
    else if (value !== undefined) this.json(value)
  }

  end(): void {}

  /** Where next-auth sends the browser, or null. */
  get url(): string | null {
    const location = this.getHeader('location')
    if (typeof location === 'string') return location
    const json = this.body?.startsWith('{') ? (JSON.parse(this.body) as { url?: unknown }) : {}
    return typeof json.url === 'string' ? json.url : null
  }

  toResponse(): Response {
    const headers = new Headers({ 'Cache-Control': 'no-store' })
    for (const [name, value] of this.headers)
      for (const one of [value].flat())
        name === 'set-cookie' ? headers.append(name, one) : headers.set(name, one)
    return new Response(this.body, { status: this.code, headers })
  }
}
