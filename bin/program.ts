import { Command, Option } from 'commander'
import { apply } from './commands/apply'
import { doctor } from './commands/doctor'
import { readDrift } from './commands/drift'
import { exportPlugin } from './commands/export'
import { indexFolder } from './commands/index-folder'
import { init } from './commands/init'
import { install } from './commands/install'
import { keygen } from './commands/keygen'
import { pack } from './commands/pack'
import { plan } from './commands/plan'
import { promote } from './commands/promote'
import { rollback } from './commands/rollback'
import { snapshot } from './commands/snapshot'
import { uninstall } from './commands/uninstall'
import { validate } from './commands/validate'
import { watch } from './commands/watch'
import type { Outcome } from './failure'
import type { Io } from './io'

type Work<O> = (io: Io, argument: string, options: O) => Promise<Outcome | null>

const PATH = ['[path]', 'a plugin folder, or an archive', '.'] as const
const PLUGIN = ['[plugin]', "a plugin's id, or its folder", '.'] as const
const REPORT = [
  '[report]',
  'a file of what was done, to take it back by',
  'promotion.json',
] as const
const SNAPSHOT = ['[folder]', 'the folder of the snapshot', '.'] as const
const ARCHIVES = ['[folder]', 'a folder of archives', '.'] as const
const SERVER = ['[url]', 'the server; ENGINE_URL when left out'] as const
const KEY = ['[name]', 'the key is in <name>.key, its public part in <name>.pub', 'engine'] as const

/** The commands; `done` is told what each has said. */
export function programOf(io: Io, done: (outcome: Outcome) => void): Command {
  const program = new Command('engine')
    .description('Write plugins of the engine, and install them at ENGINE_URL with ENGINE_API_KEY.')
    .addHelpText('after', EXIT_CODES)

  const add = <O>(name: string, what: string, argument: readonly string[], work: Work<O>) => {
    const [value = '', means, preset] = argument
    const command = program.command(name).description(what).argument(value, means, preset)
    command.option('--json', 'print JSON')
    command.action(async (argument: string, options: O & { json?: boolean }) => {
      const outcome = await work(io, argument, options)
      if (!outcome) return
      io.out(options.json ? `${JSON.stringify(outcome.json, null, 2)}\n` : asText(outcome.lines))
      done(outcome)
    })
    return command
  }

  add('init', 'write a plugin to start from', ['[folder]', 'a new or empty folder', '.'], init)
    .option('--id <id>', 'in reverse-domain style, such as com.example.shop')
    .option('--name <name>', 'what people call it')
    .option('--entity <name>', 'its first entity', 'Thing')
  add('validate', 'check a plugin without a server', PATH, validate)
  add('keygen', 'make a key that signs plugins', KEY, keygen).option(
    '--no-password',
    'leave the secret key unencrypted',
  )
  add('pack', 'make the archive of a plugin', ['[folder]', 'a plugin folder', '.'], pack)
    .option('-o, --output <file>', 'the archive; <id>-<version>.zip when left out')
    .option('--sign <key>', 'sign it with the secret key in this file')
  add('index', 'make the index of a folder of archives', ARCHIVES, indexFolder)
    .option('--url <base>', 'where the archives will be; beside the index when left out')
    .option('-o, --out <file>', 'the index; index.json in the folder when left out')
    .option('--name <name>', 'whose plugins these are')
    .option('--published <time>', 'when versions were published that are new in it')
  withInstallOptions(add('plan', 'show what an install would do', PATH, plan))
    .option(...DECISIONS)
    .option('--records', 'show the records that would change')
  withInstallOptions(add('install', 'install a plugin', PATH, install))
    .option(...DECISIONS)
    .option('--seal <seal>', 'of a plan: install only while it holds')
  withInstallOptions(add('watch', 'install again on every save', PATH, watch))
  add('drift', 'show what changed since the plugin was installed', PLUGIN, readDrift).option(
    '--exit-code',
    'exit with 1 when something changed',
  )
  add('export', 'download a plugin as it is now', PLUGIN, exportPlugin)
    .addOption(oneOf('--records <which>', 'the records to include', ['all', 'changed', 'none']))
    .option('-o, --output <file>', 'the archive; as the server names it when left out')
    .option('--folder <folder>', 'unpack it there instead')
  add('rollback', 'take back the last install of a plugin', PLUGIN, rollback)
    .option('--install <number>', 'that install instead of the last')
    .addOption(onConflict())
    .option(...DECISIONS)
    .option('--plan', 'only show what would happen')
    .option('--seal <seal>', 'of a plan: roll back only while it holds')
  add('uninstall', 'remove a plugin', PLUGIN, uninstall)
    .addOption(oneOf('--records <what>', 'what happens to its records', ['trash', 'keep']))
    .option('--with <plugins>', 'further plugins that go too, separated by commas')
    .option('--plan', 'only show what would happen')
    .option('--yes', 'do not ask')
  add('doctor', 'check what operators have to see to; exits with 1 at a fault', SERVER, doctor)
  add('snapshot', 'write what a server has as files for a repository', SNAPSHOT, snapshot)
    .addOption(oneOf('--records <which>', 'the records to include', ['all', 'none']))
    .option('--entities <names>', 'with the records of these alone, separated by commas')
  add('apply', 'bring a server into the state of a snapshot', SNAPSHOT, apply)
    .option('--check', 'only compare: exit with 1 when the server differs')
    .option('--plan', 'only show what would happen')
  add('promote', 'bring what one server has to another', REPORT, promote)
    .option('--from <url>', 'the server that has it, with the key in ENGINE_FROM_KEY')
    .option('--to <url>', 'the server that gets it, with the key in ENGINE_TO_KEY')
    .addOption(oneOf('--records <which>', 'the records to bring', ['all', 'none']))
    .option('--entities <names>', 'with the records of these alone, separated by commas')
    .option('--where <conditions...>', 'with the records of an entity that match: Entity=filter')
    .addOption(onConflict())
    .option('--plan', 'only show what would happen')
    .option('--seal <seal>', 'of a plan: only while it holds')
    .option('--undo', 'take back what the report says')

  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err })
  return program
}

const oneOf = (flags: string, what: string, choices: string[]) =>
  new Option(flags, what).choices(choices)

const onConflict = () =>
  oneOf('--on-conflict <what>', 'what wins where both sides changed', ['keep', 'take', 'fail'])

const DECISIONS = [
  '--decisions <file>',
  'JSON: { "Entity": { "keep": [keys], "take": [keys] } }',
] as const

const withInstallOptions = (command: Command) =>
  command
    .addOption(
      oneOf('--mode <mode>', 'every file by itself, or all of them', ['partial', 'atomic']),
    )
    .addOption(onConflict())
    .addOption(oneOf('--removed <what>', 'records the plugin has no longer', ['keep', 'delete']))
    .addOption(oneOf('--deleted <what>', 'records that were deleted here', ['keep', 'restore']))

const asText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

const EXIT_CODES = `
Exit codes: 0 done; 1 refused, or files failed; 2 wrong arguments or settings; 3 no response.`
