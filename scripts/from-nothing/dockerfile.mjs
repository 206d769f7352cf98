import { StepError } from '../steps/run.mjs'

/**
 * @typedef {object} Instruction
 * @property {string} name
 * @property {Record<string, string>} options `--from=build` and the like.
 * @property {string} rest
 * @typedef {{ base: string, name: string | null, instructions: Instruction[] }} Stage
 */

/** The stages of a Dockerfile. @param {string} text @returns {Stage[]} */
export function parseDockerfile(text) {
  /** @type {Stage[]} */
  const stages = []
  for (const line of logicalLines(text)) {
    const instruction = parseInstruction(line)
    const stage = stages.at(-1)
    if (instruction.name === 'FROM') stages.push(parseFrom(instruction.rest))
    else if (stage) stage.instructions.push(instruction)
    else throw new StepError(`${instruction.name} before the first FROM`)
  }
  return stages
}

/** Without comments; a line that ends in a backslash goes on in the next. */
const logicalLines = (text) =>
  text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

function parseInstruction(line) {
  const [, name, after] = /^(\w+)\s+(.*)$/.exec(line) ?? []
  if (!name) throw new StepError(`Not an instruction: ${line}`)
  const options = {}
  let rest = after
  for (let found = OPTION.exec(rest); found; found = OPTION.exec(rest)) {
    options[found[1]] = found[2]
    rest = rest.slice(found[0].length)
  }
  return { name: name.toUpperCase(), options, rest }
}

const OPTION = /^--([\w-]+)=(\S+)\s+/

function parseFrom(rest) {
  const [, base, name = null] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? []
  if (!base?.startsWith('node:'))
    throw new StepError(`FROM ${rest}: this Node stands for node: only`)
  return { base, name, instructions: [] }
}

/** What an instruction may have in the form of JSON, `["node", "x.mjs"]`. */
export function parseCommand({ name, rest }) {
  try {
    return JSON.parse(rest)
  } catch {
    throw new StepError(`${name}: write it as a list, ["node", …], not ${rest}`)
  }
}
