import { createHash } from 'node:crypto';
import { defineConfig } from 'vite';

const policyHash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Puts script and style into the page, and a policy that allows these two and nothing else: even if
 * text of a program became markup, no handler in it would run and nothing would be fetched.
 */
function onePage() {
  return {
    name: 'one-page',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName.endsWith('.html'));
      const script = files.find((file) => file.type === 'chunk').code.trim();
      const style = String(files.find((file) => file.fileName.endsWith('.css')).source).trim();
      if (/<\/script/i.test(script) || /<\/style/i.test(style))
        throw new Error('script or style would end their own element');
      const policy =
        `default-src 'none'; script-src ${policyHash(script)}; style-src ${policyHash(style)}; ` +
        "base-uri 'none'; form-action 'none'";
      const html = String(page.source)
        .replace(/\s*<script[^>]*src=[^>]*><\/script>/g, '')
        .replace(/\s*<link[^>]*stylesheet[^>]*>/g, '')
        .replace('<!--policy-->', () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace('</head>', () => `<style>${style}</style>\n</head>`)
        .replace('</body>', () => `<script>${script}</script>\n</body>`);
      for (const file of files) delete bundle[file.fileName];
      this.emitFile({ type: 'asset', fileName: 'viewer.html', source: html });
    },
  };
}

export default defineConfig({
  plugins: [onePage()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: { output: { format: 'iife' } },
  },
});
