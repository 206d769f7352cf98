import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { runBackupCommand } from './command'

/** What a command prints that makes no file. */
const told = async (args: string[]): Promise<string> => {
  const lines: string[] = []
  const before = await readdir('.')
  await runBackupCommand(parseEnv({}), args, (line) => lines.push(line))
  expect(await readdir('.')).toEqual(before)
  return lines.join('\n')
}

test('who asks for help gets it, and no backup', async () => {
  for (const option of ['--help', '-h'])
    expect(await told(['backup', option])).toMatch(/^Usage:.*npm run restore -- FILE/s)
})

test('a command without what it needs says how it is called', async () => {
  for (const args of [[], ['restore'], ['wrong'], ['backup', 'one', 'two']])
    await expect(told(args)).rejects.toThrow(/^Usage:/)
})
