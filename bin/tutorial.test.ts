import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isObject } from '@/lib/values/json'
import { newFolder, readJson, run, writeJson } from './testing/cli'
import { runningEngine } from './testing/engine'

const { env } = runningEngine()
const shell = promisify(execFile)

type Step = { kind: 'sh' | 'json'; path: string; text: string }

/** The blocks of the tutorial, in order: files to write, and commands. */
async function readTutorial(): Promise<Step[]> {
  const page = await readFile('docs/plugins.md', 'utf8')
  const tutorial = page.slice(0, page.indexOf('## The command'))
  return [...tutorial.matchAll(/^```(sh|json) ?(\S*)\n(.*?)^```$/gms)].map(
    ([, kind, path = '', text = '']) => ({ kind: kind as Step['kind'], path, text }),
  )
}

/** What a command printed; the test fails with it when it did not succeed. */
async function execute(command: string, cwd: string): Promise<string> {
  const words = command.split(' ')
  if (words[0] === 'npx') {
    const { code, out, err } = await run(words.slice(2), cwd, { env })
    expect([command, code, err]).toEqual([command, 0, ''])
    return out
  }
  const { stdout } = await shell('sh', ['-c', command], { cwd, env: { ...process.env, ...env } })
  return stdout
}

test('the tutorial leads from an empty folder to an upgraded and exported plugin', async () => {
  const folder = await newFolder()
  const printed: Record<string, string> = {}
  for (const { kind, path, text } of await readTutorial()) {
    if (kind === 'json') {
      const content = JSON.parse(text)
      if (isObject(content)) expect(content.$schema).toMatch(/schemas\/(plugin|schema)\.json$/)
      await writeJson(folder, path, content)
      continue
    }
    for (const line of text.trim().split('\n'))
      if (!line.startsWith('export ')) printed[line] = await execute(line, folder)
  }
  expect(printed['npx engine drift shop']).toContain('name: "Boot" → "Winter boot"')
  expect(printed['npx engine plan shop --records']).toContain('here "Winter boot"')
  expect(printed['npx engine install shop --on-conflict keep']).toContain('3 of 3 files')
  const exported = await readJson(folder, 'exported/Shoe/data.json')
  expect(exported).toContainEqual({ id: 'boot', name: 'Ankle boot', euSize: 42, price: 90 })
  expect(exported).toHaveLength(4)
  expect(Object.keys(printed)).toHaveLength(17)
})
