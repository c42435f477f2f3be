"""Headless Chromium, driven through chromedriver, for tests of web pages. Needs
Debian's chromium and chromium-driver.

SPDX-License-Identifier: Apache-2.0
"""

import base64
import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request

SECONDS = 600  # for each step
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # of the W3C's WebDriver


class Browser:
    """Headless Chromium, driven by chromedriver; with a profile of its own."""

    def __init__(self, profile, *options):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True,
            env=os.environ | {"TMPDIR": profile})
        self.url = None
        for line in self.driver.stdout:
            started = re.search(r"successfully on port (\d+)", line)
            if started:
                self.url = "http://127.0.0.1:" + started[1] + "/session"
                break
        if self.url is None:
            raise RuntimeError("chromedriver does not start")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--window-size=1000,1150", "--user-data-dir=" + profile,
                     *options]
        self.url += "/" + self.begin_session(arguments)["sessionId"]

    def begin_session(self, arguments):
        """Tries three times: on a busy machine the browser may come too late
        for its driver."""
        wanted = {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments}}}}
        for _ in range(2):
            try:
                return self.post("", wanted)
            except RuntimeError:
                time.sleep(1)
        return self.post("", wanted)

    def request(self, path, method, data):
        """Sends one command of WebDriver and returns its value."""
        request = urllib.request.Request(
            self.url + path, method=method, data=data,
            headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            message = json.load(error)["value"]["message"]
            raise RuntimeError(message.splitlines()[0]) from error

    def get(self, path):
        return self.request(path, "GET", None)

    def post(self, path, value):
        return self.request(path, "POST", json.dumps(value).encode())

    def find(self, selector):
        found = self.post("/element",
                          {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def click(self, selector):
        """Clicks in the middle of the window: a page's footer may cover its
        end."""
        self.script("document.querySelector(" + json.dumps(selector) +
                    ").scrollIntoView({block: 'center'});")
        self.post("/element/" + self.find(selector) + "/click", {})

    def write(self, selector, text):
        self.post("/element/" + self.find(selector) + "/value",
                  {"text": text})

    def script(self, text):
        return self.post("/execute/sync", {"script": text, "args": []})

    def close(self):
        try:
            self.request("", "DELETE", None)
        except (OSError, RuntimeError):
            pass  # it did not get as far as a session
        self.driver.terminate()
        self.driver.wait()

    def choose(self, option, choice):
        """Selects a choice of an option, by their names in the form."""
        self.click(f'select[name="{option}"] option[value="{choice}"]')

    def options(self):
        """The page's options with the text of their choices, a line each."""
        return self.script(OPTIONS_OF_PAGE)

    def wait_for(self, expected):
        """Until the page says so."""
        end = time.monotonic() + SECONDS
        while True:
            text = self.script("return document.body.innerText;")
            if expected in text:
                return
            if time.monotonic() > end:
                raise RuntimeError("the page says: " + " ".join(text.split()))
            time.sleep(0.2)

    def photograph(self, path):
        """Writes a picture of the window."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.get("/screenshot")))


OPTIONS_OF_PAGE = """
return Array.from(document.querySelectorAll("select")).map(select =>
    select.name + ": " + Array.from(select.options).map(
        option => option.text.trim()).join(", "));
"""
