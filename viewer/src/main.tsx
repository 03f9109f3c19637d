import { render } from 'preact';
import { App } from './app';
import { embeddedReport } from './data';
import { OpenFile } from './open_file';
import type { Report } from './report';
import './style.css';

const root = document.getElementById('app')!;

function show(report: Report): void {
  document.title = `heddle ${report.command} ${report.program}`.trim();
  root.textContent = '';
  render(<App report={report} />, root);
}

async function start(): Promise<void> {
  try {
    const report = await embeddedReport();
    if (report) return show(report);
    root.textContent = '';
    render(<OpenFile onReport={show} />, root);
  } catch (error) {
    root.textContent = `This page cannot be shown: ${String(error)}. Write it again with heddle report --format=html.`;
  }
}

void start();
