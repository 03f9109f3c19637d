#!/usr/bin/env python3
"""Adds to package-lock.json what `npm install` leaves out when the registry does not have it.

usage: complete_lock.py   (in viewer/, after npm install)

Rolldown names a binding for each platform as an optional dependency. `npm ci` refuses a lock that
lacks one of them, although none but this machine's own is ever installed.
"""

import json

NAMES = {"android-arm-eabi": ("arm", "android"), "linux-arm-gnueabihf": ("arm", "linux"),
         "wasm32-wasi": ("wasm32", None)}


def platform(name):
    """The binding's cpu and os, as package.json would have them."""
    short = name.split("binding-")[1]
    if short in NAMES:
        return NAMES[short]
    system, cpu = short.split("-")[:2]
    return cpu, system


def main():
    with open("package-lock.json", encoding="utf-8") as file:
        lock = json.load(file)
    packages = lock["packages"]
    rolldown = packages["node_modules/rolldown"]
    for name, version in rolldown["optionalDependencies"].items():
        cpu, system = platform(name)
        entry = {"version": version, "cpu": [cpu], "dev": True, "license": rolldown["license"], "optional": True}
        if system:
            entry["os"] = [system]
        packages.setdefault("node_modules/" + name, entry)
    lock["packages"] = {key: packages[key] for key in sorted(packages)}
    with open("package-lock.json", "w", encoding="utf-8") as file:
        file.write(json.dumps(lock, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
