import ArgumentParser
import TOMLKit
