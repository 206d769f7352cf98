import { ADMIN } from '../../e2e/server-settings'
import { BrowserSession } from '../../scripts/steps/browser-session.mjs'

/** The requests of a console that stays open. */
export class ConsoleSession extends BrowserSession {
  /** Of a look. */
  static readonly REQUESTS = 3

  begin(): Promise<void> {
    return this.signIn(ADMIN)
  }

  /** What is wrong: null while a page and its data come, and the session is that of the administrator. */
  async look(): Promise<string | null> {
    const session = await (await this.send('/api/auth/session')).json()
    if (session.user?.email !== ADMIN.email) return 'signed out'
    for (const path of ['/api/plugins', '/plugins']) {
      const { status } = await this.send(path)
      if (status !== 200) return `${path}: ${status}`
    }
    return null
  }
}
