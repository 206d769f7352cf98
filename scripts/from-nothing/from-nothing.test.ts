import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { envFile, readCompose } from './compose.mjs'
import { carryOut } from './image.mjs'
import { interpolate } from './interpolate.mjs'
import { imageSize } from './size.mjs'

const ROOT = join(__dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'engine-from-nothing-'))
afterAll(() => rmSync(folder, { recursive: true }))

function context(name: string, files: Record<string, string>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, file)), { recursive: true })
    writeFileSync(join(folder, name, file), text)
  }
  return join(folder, name)
}

const DOCKERFILE = `# An image
FROM node:24 AS build
WORKDIR /app
COPY . .
ENV SAID=hello
RUN mkdir dist && echo $SAID > dist/said
FROM node:24-slim
WORKDIR /srv
ENV PORT=3000 DATA_DIR=/data
COPY --from=build --chown=node:node /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s \\
  CMD ["node", "-e", "0"]
CMD ["node", "dist/server.mjs"]
`

test('an image is what its instructions make of the context, less what is ignored', () => {
  const root = context('image', {
    Dockerfile: DOCKERFILE,
    '.dockerignore': '.env*\n!.env.example\nrelease\n',
    '.env': 'SECRET=1',
    '.env.example': '',
    'release/old': '',
    'sub/release': '',
  })
  const image = carryOut(root, join(folder, 'stages'))
  const made = readdirSync(join(folder, 'stages/stage-0/app'), { recursive: true })
  expect(made.sort()).toEqual(
    [
      '.dockerignore',
      '.env.example',
      'Dockerfile',
      'dist',
      'dist/said',
      'sub',
      'sub/release',
    ].sort(),
  )
  expect(readdirSync(image.root, { recursive: true }).sort()).toEqual(
    ['data', 'srv', 'srv/dist', 'srv/dist/said', 'tmp'].sort(),
  )
  expect(image).toMatchObject({
    env: { PORT: '3000', DATA_DIR: '/data' },
    user: 'node',
    command: ['node', 'dist/server.mjs'],
    health: ['node', '-e', '0'],
    bytes: 'hello\n'.length,
  })
})

test('an image has room beside its base up to the limit', () => {
  expect(imageSize(119.5e6)).toMatch(/^120 MB .* 350 MB of 350$/)
  expect(() => imageSize(120.5e6)).toThrow('too large: 121 MB')
})

test.each([
  ['ADD . .', /ADD is not among the instructions/],
  ['USER root', /USER root/],
  ['COPY --from=other a b', /no such stage/],
  ['RUN exit 3', /ended with 3/],
  ['CMD node x', /write it as a list/],
  ['EXPOSE 80', /EXPOSE 80/],
])('%s is refused by name', (instruction, message) => {
  const root = context('refused', { Dockerfile: `FROM node:24\n${instruction}\n` })
  expect(() => carryOut(root, join(folder, 'refused-stages'))).toThrow(message)
})

test('variables of a compose file have defaults, reasons, and others in them', () => {
  const values = { A: '1', EMPTY: '' }
  expect(interpolate('${A} ${B:-x ${A} y} ${EMPTY:-z}${C}', values)).toBe('1 x 1 y z')
  expect(() => interpolate('${EMPTY:?set it}', values)).toThrow('EMPTY: set it')
})

test('the compose file takes the values of .env, and asks for those it needs', () => {
  const own = {
    NEXTAUTH_SECRET: 's'.repeat(32),
    POSTGRES_PASSWORD: 'pw',
    APP_URL: 'https://x.example.com',
  }
  const { environment } = readCompose(ROOT, envFile(ROOT, own))
  expect(environment).toMatchObject({
    DATABASE_URL: 'postgres://engine:pw@database:5432/engine',
    DATA_DIR: '/data',
    APP_URL: own.APP_URL,
  })
  for (const name of Object.keys(own))
    expect(() => readCompose(ROOT, envFile(ROOT, { ...own, [name]: '' }))).toThrow(name)
})
