import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import type { Io } from '../io'
import { runCli } from '../run-cli'

const folder = mkdtempSync(join(tmpdir(), 'engine-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** An empty folder of its own. */
export async function newFolder(): Promise<string> {
  const path = join(folder, crypto.randomUUID())
  await mkdir(path)
  return path
}

/** Runs `engine <args>` in a folder; returns the exit code and what it has printed. */
export async function run(args: string[], cwd: string, overrides: Partial<Io> = {}) {
  let [out, err] = ['', '']
  const io: Io = {
    cwd,
    env: {},
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    isTerminal: false,
    ask: null,
    signal: new AbortController().signal,
    ...overrides,
  }
  const code = await runCli(args, io)
  return { code, out, err }
}

/** As `run`, with `--json`, parsed. */
export async function runJson(args: string[], cwd: string, overrides: Partial<Io> = {}) {
  const { code, out } = await run([...args, '--json'], cwd, overrides)
  return { code, json: JSON.parse(out) }
}

/** A folder with the plugin that `engine init` writes. */
export async function newPlugin(...options: string[]): Promise<string> {
  const path = await newFolder()
  await run(['init', '--id', 'com.example.shop', '--entity', 'Shoe', ...options], path)
  return path
}

export async function writeJson(folder: string, path: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), JSON.stringify(content))
}

export const readJson = async (folder: string, path: string) =>
  JSON.parse(await readFile(join(folder, path), 'utf8'))

/** Writes the data file of a plugin that `newPlugin` made. */
export const addShoes = (folder: string, count: number) =>
  writeJson(
    folder,
    'Shoe/data.json',
    Array.from({ length: count }, (_, n) => ({ id: `s${n}`, name: `Shoe ${n}` })),
  )

/** The folder of a plugin with three shoes, which is installed. */
export async function newShoes(env: Io['env']): Promise<string> {
  const folder = await newPlugin()
  await addShoes(folder, 3)
  await run(['install'], folder, { env })
  return folder
}
