import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { LOCALHOST } from './certificates'

/** `content`: while it is received. `end`: when all of it is. */
type Phase = 'greeting' | 'sign-in' | 'sender' | 'recipient' | 'content' | 'end'
/** What happens when a phase comes next, once; nothing else afterwards. */
export type Behaviour =
  | { at: Phase; code: number; text: string }
  | { at: Phase; does: 'cut' | 'hang' }

export type Received = {
  id: string
  to: string
  source: string
  /** How the connection was encrypted, and who had signed in. */
  tls: boolean
  user: string | null
  session: string
}

type Connection = { id: string; _socket: Socket }

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

type Options = Pick<SMTPServerOptions, 'secure' | 'key' | 'cert' | 'disabledCommands' | 'size'> & {
  /** Refuses each recipient once, with 450. */
  greylists?: boolean
}

export const USER = { user: 'engine@example.com', password: 'a pass/word: 100% sure' }

/** A mail server on this machine that does what it is told. */
export async function startMailServer({ greylists, ...options }: Options = {}) {
  const behaviours: Behaviour[] = []
  const received: Received[] = []
  const seen = new Set<string>()

  /** Whether the phase goes on. */
  function meet(phase: Phase, session: SMTPServerSession, refuse: (error: Error) => void): boolean {
    const next = behaviours[0]
    if (next?.at !== phase) return true
    behaviours.shift()
    if ('code' in next) refuse(refusal(next.code, next.text))
    else if (next.does === 'cut') destroy((connection) => connection.id === session.id)
    return false
  }

  /** By the socket above TLS: without it that below would be in use when it is freed. */
  function destroy(isOne: (connection: Connection) => boolean): void {
    for (const connection of server.connections as Set<Connection>)
      if (isOne(connection)) connection._socket.destroy()
  }

  const server = new SMTPServer({
    ...LOCALHOST,
    logger: false,
    authOptional: true,
    allowInsecureAuth: true,
    ...options,
    onConnect: (session, done) => void (meet('greeting', session, done) && done()),
    onAuth: ({ username, password }, session, done) => {
      if (!meet('sign-in', session, done)) return
      if (username === USER.user && password === USER.password)
        return done(null, { user: username })
      done(refusal(535, '5.7.8 Bad credentials'))
    },
    onMailFrom: (_, session, done) => void (meet('sender', session, done) && done()),
    onRcptTo: ({ address }, session, done) => {
      if (!meet('recipient', session, done)) return
      if (!greylists || seen.has(address)) return done()
      seen.add(address)
      done(refusal(450, '4.2.0 Greylisted, try again later'))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      let goesOn = true
      stream.on('data', (chunk: Buffer) => {
        if (chunks.push(chunk) === 1) goesOn = meet('content', session, done)
      })
      stream.on('end', () => {
        if (!goesOn) return
        const isCut = behaviours[0]?.at === 'end' && 'does' in behaviours[0]
        if (isCut) received.push(toReceived(session, chunks))
        if (!meet('end', session, done)) return
        received.push(toReceived(session, chunks))
        done(null, '2.0.0 Ok: queued as 4F3B2A')
      })
    },
  })
  server.on('error', () => undefined) // connections that tests break
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    behaviours,
    /** All that it said it has, or was about to say. */
    received,
    /** Ids of mails in the mailbox of their recipient, which keeps one of those with the same `Message-ID`. */
    mailbox: () => [...new Set(received.map(({ id }) => id))],
    connections: () => server.connections.size,
    endConnections: () => destroy(() => true),
    close: () =>
      new Promise<void>((resolve) => {
        destroy(() => true)
        server.close(() => resolve())
      }),
  }
}

const refusal = (responseCode: number, text: string) =>
  Object.assign(new Error(text), { responseCode })

function toReceived(session: SMTPServerSession, chunks: Buffer[]): Received {
  const source = Buffer.concat(chunks).toString()
  return {
    id: /^message-id: <([^@>]+)@/im.exec(source)?.[1] ?? '',
    to: session.envelope.rcptTo.map(({ address }) => address).join(),
    source,
    tls: session.secure,
    user: session.user ?? null,
    session: session.id,
  }
}
