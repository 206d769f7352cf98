import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import {
  describeSelf,
  FolderInUseError,
  folderHolder,
  type Holder,
  isAlive,
  judge,
  lockFolder,
} from './folder-lock'

/** Another process: locks the folder of each line it reads and prints `taken` or why not. */
const STARTER = `
  import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).pathname)}
  import { createInterface } from 'node:readline'
  console.log('ready')
  for await (const folder of createInterface({ input: process.stdin })) {
    await lockFolder(folder).then(() => console.log('taken'), (error) => console.log(error.message))
  }`

const children: ChildProcess[] = []
const folders: string[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('the lock of the data folder', () => {
  test('keeps a second process out, and names the holder', async () => {
    const folder = newFolder()
    const [first, second] = await Promise.all([startProcess(), startProcess()])
    expect(await first.lock(folder)).toBe('taken')
    expect(await second.lock(folder)).toMatch(`is open in process ${first.pid} on `)
    expect(await folderHolder(folder)).toMatchObject({ pid: first.pid })
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError)
  })

  test('is taken over from a holder that was killed', async () => {
    const folder = newFolder()
    const [first, second] = await Promise.all([startProcess(), startProcess()])
    await first.lock(folder)
    await first.kill()
    expect(await folderHolder(folder)).toBeNull()
    expect(await second.lock(folder)).toBe('taken')
  })

  test('of a dead holder goes to exactly one of ten processes that start together', async () => {
    const starters = await Promise.all(Array.from({ length: 10 }, startProcess))
    const dead = await deadHolder()
    for (let round = 0; round < 30; round++) {
      const folder = newFolder()
      if (round % 3 > 0) writeFileSync(join(folder, 'lock.7'), JSON.stringify(dead))
      const responses = await Promise.all(starters.map(({ lock }) => lock(folder)))
      expect(responses.filter((response) => response === 'taken')).toHaveLength(1)
      expect(readdirSync(folder)).toHaveLength(1)
    }
  })

  test('is free again after its release, and in the same process too', async () => {
    const folder = newFolder()
    const release = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid}`)
    release()
    const again = await lockFolder(folder)
    again()
    expect(await folderHolder(folder)).toBeNull()
  })

  test('is not held by a malformed file', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'lock.3'), '{"pid":')
    const release = await lockFolder(folder)
    expect(readdirSync(folder)).toEqual(['lock.4'])
    release()
  })
})

describe('a holder', () => {
  const self = describeSelf()
  test.each<[string, Partial<Holder>, 'alive' | 'dead' | 'unknown']>([
    ['is this very process', {}, 'alive'],
    ['has a pid that another process has now', { processStart: '1' }, 'dead'],
    ['ran before this machine was started', { bootId: 'another' }, 'dead'],
    ['runs on another machine', { bootId: 'another', host: 'elsewhere' }, 'unknown'],
    ['runs in another container', { pidNamespace: 'pid:[1]', host: 'c0ffee' }, 'unknown'],
  ])('that %s is judged', (_, differs, verdict) => {
    expect(judge({ ...self, ...differs }, self)).toBe(verdict)
  })

  test('that cannot be seen is alive while its heartbeat continues', async () => {
    const folder = newFolder()
    const release = await lockFolder(folder)
    const unseen = { ...self, pidNamespace: 'pid:[1]' }
    expect(await isAlive(unseen, join(folder, 'lock.1'))).toBe(true)
    release()
    expect(await isAlive(unseen, join(folder, 'lock.1'), 50)).toBe(false)
  })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'engine-lock-'))
  folders.push(folder)
  return folder
}

async function startProcess() {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', STARTER])
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return {
    pid: child.pid,
    lock: async (folder: string): Promise<string> => {
      child.stdin.write(`${folder}\n`)
      return (await lines.next()).value
    },
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** What a process that was killed leaves behind. */
async function deadHolder(): Promise<Holder> {
  const { pid, kill } = await startProcess()
  await kill()
  return { ...describeSelf(), pid: pid as number }
}
