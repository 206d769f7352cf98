import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Io } from './io'
import { runCli } from './run-cli'

/** Runs the command line in this process; returns the exit code. */
export function main(args: string[], cwd: string): Promise<number> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const io: Io = {
    cwd,
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: Boolean(process.stdout.isTTY),
    ask: process.stdin.isTTY ? ask : null,
    signal: stop.signal,
  }
  return runCli(args, io)
}

async function ask(question: string, { hidden = false } = {}): Promise<string> {
  const silent = new Writable({ write: (_, __, done) => done() })
  const output = hidden ? silent : process.stderr
  const terminal = createInterface({ input: process.stdin, output, terminal: hidden || undefined })
  if (hidden) process.stderr.write(question)
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
    if (hidden) process.stderr.write('\n')
  }
}
