/** The cookies of a browser. */
export class Cookies {
  private kept = new Map<string, string>()

  /** For a request. */
  header(): string {
    return [...this.kept].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Keeps and drops as the headers of a response say. */
  keep(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(';')
      const [name = '', ...value] = pair.split('=')
      const removed =
        attributes.some((text) => /^ ?max-age=0$/i.test(text)) || value.join('=') === ''
      if (removed) this.kept.delete(name)
      else this.kept.set(name, value.join('='))
    }
  }

  copy(): Cookies {
    const copy = new Cookies()
    copy.kept = new Map(this.kept)
    return copy
  }
}
