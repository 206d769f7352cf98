import { describe, expect, test } from 'vitest'
import { readLayout } from './open-archive'

describe('readLayout', () => {
  test('a component holds every .json below it, except below a nested manifest', () => {
    const { components } = readLayout([
      'engineplugin.json',
      'data/Country/__manifest__.json',
      'data/Country/data.json',
      'data/Country/deep/er/more.json',
      'data/Country/Region/__manifest__.json',
      'data/Country/Region/data.json',
    ])
    expect(components.map(({ folder, files }) => [folder, files])).toEqual([
      ['data/Country/', ['data/Country/data.json', 'data/Country/deep/er/more.json']],
      ['data/Country/Region/', ['data/Country/Region/data.json']],
    ])
  })

  test('the plugin may lie in the single top folder', () => {
    const { pluginFile, components } = readLayout([
      'shop/engineplugin.json',
      'shop/A/__manifest__.json',
      'shop/A/a.json',
    ])
    expect(pluginFile).toBe('shop/engineplugin.json')
    expect(components).toEqual([
      { folder: 'shop/A/', manifest: 'shop/A/__manifest__.json', files: ['shop/A/a.json'] },
    ])
  })

  test('a manifest at the root makes the whole plugin one component', () => {
    const { components } = readLayout([
      'engineplugin.json',
      '__manifest__.json',
      'a.json',
      'b/c.json',
    ])
    expect(components[0]?.files).toEqual(['a.json', 'b/c.json'])
  })

  test('what is no content is ignored, with the reason', () => {
    const { ignored, components } = readLayout([
      'engineplugin.json',
      'README.md',
      'loose.json',
      '__MACOSX/A/._a.json',
      'A/__manifest__.json',
      'A/.DS_Store',
      'A/.hidden/x.json',
      'A/notes.txt',
      'A/UPPER.JSON',
    ])
    expect(components[0]?.files).toEqual(['A/UPPER.JSON'])
    expect(ignored).toEqual([
      { path: 'README.md', reason: 'Not a .json file' },
      { path: 'loose.json', reason: 'No manifest above it' },
      { path: '__MACOSX/A/._a.json', reason: 'Hidden or system file' },
      { path: 'A/.DS_Store', reason: 'Hidden or system file' },
      { path: 'A/.hidden/x.json', reason: 'Hidden or system file' },
      { path: 'A/notes.txt', reason: 'Not a .json file' },
    ])
  })

  test('beside __MACOSX a single top folder is still single', () => {
    expect(readLayout(['p/engineplugin.json', '__MACOSX/p/._x']).pluginFile).toBe(
      'p/engineplugin.json',
    )
  })

  test.each([
    [['a.json'], /has no engineplugin.json/],
    [['a/b/engineplugin.json'], /"a\/b\/engineplugin.json" has another path/],
    [['EnginePlugin.json'], /"EnginePlugin.json" has another path or spelling/],
    [['a/engineplugin.json', 'b/engineplugin.json'], /has 2 top folders/],
    [['a/engineplugin.json', 'b/x.json'], /has 2 top folders/],
    [['.git/engineplugin.json'], /has no engineplugin.json/],
  ])('refuses %j', (paths, message) => {
    expect(() => readLayout(paths)).toThrow(message)
  })
})
