import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

const shown = (text: string) => renderToStaticMarkup(<Markdown text={text} />)

describe('Markdown', () => {
  test.each([
    ['# Mondays', '<h3>Mondays</h3>'],
    ['**bold** and *slanted*', '<strong>bold</strong> and <em>slanted</em>'],
    ['- one\n- two', '<li>one</li><li>two</li>'],
    ['3. three\n4. four', '<ol start="3">'],
    ['`code`', '<code>code</code>'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', '<td>1</td><td>2</td>'],
    ['- [x] done\n- [ ] open', '☑ '],
    ['Ask [Ada](mailto:ada@example.com)', 'href="mailto:ada@example.com"'],
    ['See https://example.com/a?b=1.', 'href="https://example.com/a?b=1"'],
  ])('%j has %s', (text, html) => {
    expect(shown(text)).toContain(html)
  })

  test('has headings below those of the page, without a gap between levels', () => {
    const levels = [...shown('### a\n\n# b\n\n#### c\n\n###### d').matchAll(/<h(\d)>/g)].map(
      ([, level]) => level,
    )
    expect(levels).toEqual(['3', '3', '4', '5'])
  })

  test('opens links in a new tab, which learns nothing of this page', () => {
    expect(shown('[a](https://example.com/)')).toContain(
      '<a href="https://example.com/" target="_blank" rel="noopener noreferrer nofollow">a</a>',
    )
  })
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '<a href="javascript:alert(1)" onclick="alert(1)">a</a>',
  '<div style="position:fixed;inset:0">a</div>',
  '<form action="https://evil.example"><input name="password"></form>',
  '<details open ontoggle=alert(1)>',
  '<style>* { display: none }</style>',
  '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](java\nscript:alert(1))',
  '[a](&#106;avascript:alert(1))',
  '[a](\u0001javascript:alert(1))',
  '[a](data:text/html;base64,PHNjcmlwdD4=)',
  '[a](vbscript:msgbox(1))',
  '[a](file:///etc/passwd)',
  '[a](//evil.example/x)',
  '[a](/auth/logout)',
  '[a]( https://example.com" onclick="alert(1) )',
  '[a][b]\n\n[b]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![a](javascript:alert(1))',
  '![a](https://evil.example/pixel.png)',
  '![a](x" onerror="alert(1))',
  '`<script>alert(1)</script>`',
  '```html\n<script>alert(1)</script>\n```',
  '```"><script>alert(1)</script>\na\n```',
  '# <img src=x onerror=alert(1)>',
  '# __proto__',
  '| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |',
  '[^1]\n\n[^1]: <img src=x onerror=alert(1)>',
  '---\ntitle: <script>alert(1)</script>\n---\na',
  '<!-- --><script>alert(1)</script>',
  '<constructor>a</constructor>',
  '<Markdown>a</Markdown>',
  '**<b onmouseover=alert(1)>a</b>**',
  '> <object data="https://evil.example"></object>',
  `${'['.repeat(2000)}a${']'.repeat(2000)}`,
  `${'> '.repeat(500)}a`,
  `${'*a_'.repeat(1500)}`,
]

describe('hostile Markdown', () => {
  test.each(HOSTILE.map((text) => [text]))('%j adds no element, attribute or address of its own', (text) => {
    const html = shown(text)
    const tags = [...html.matchAll(/<([a-z][a-z0-9]*)([^>]*)>/gi)]
    for (const [tag, name = '', attributes = ''] of tags) {
      expect(name, tag).toMatch(
        /^(?:div|p|h[3-6]|em|strong|del|mark|code|pre|blockquote|ul|ol|li|hr|br|table|thead|tbody|tr|th|td|a|span)$/,
      )
      const rest = attributes.replace(/^ class="[^"]*markdown[^"]*"/, '').replace(/\/$/, '')
      expect(rest, tag).toMatch(
        /^(?: start="\d+"| href="(?:https?:\/\/|mailto:)[^"]*" target="_blank" rel="noopener noreferrer nofollow")?$/,
      )
    }
  })

  test('of the length of the longest notes is shown', () => {
    for (const part of [
      '[',
      '*',
      '`',
      '<a ',
      '![](',
      '- ',
      '| ',
      '~~',
      '<!--',
      'http://a.b/(',
      '@a ',
      '[^a]: ',
    ])
      expect(shown(part.repeat(Math.floor(10_000 / part.length)))).toContain('<div')
  })
})
